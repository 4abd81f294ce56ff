import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kindText, listLog, logChoices } from '../../../src/app/access/log.ts';
import type { NewLogEntry } from '../../../src/store/console.ts';
import { root } from '../../docs/pages.ts';
import { anAccess } from './an-access.ts';

async function withEntries() {
  const { store, clock, world } = anAccess();
  const entry: NewLogEntry = {
    ...{ at: clock.now(), who: 'ann', what: 'campaign.paused', target: 'spring' },
    ...{ outcome: 'done', detail: {} },
  };
  const from = { from: '192.0.2.7' };
  for (const more of [
    {},
    { what: 'user.added', target: 'ben', detail: { role: 'viewer' } },
    { what: 'list.sent', target: null },
    { who: 'ben', what: 'campaign.started', outcome: 'refused (403)' },
    { who: 'ben', what: 'GET /api/v1/users', target: null, outcome: 'refused (403)' },
    { who: 'ben', what: 'token.added', outcome: 'refused (403)', detail: { ...from, times: 12 } },
    { what: 'login.tried', target: null, detail: from },
    { what: 'login.tried', target: null, outcome: 'refused', detail: from },
    { who: 'nobody known', what: 'login.tried', target: null, outcome: 'refused', detail: from },
    { who: 'nobody known', what: 'link.used', target: null, outcome: 'refused' },
  ])
    await store.appendLog({ ...entry, ...more });
  const texts = async (query: { text?: string; who?: string; what?: string } = {}) =>
    (await listLog(store, { before: null, limit: 50, ...query }, world)).items.map(
      ({ text }) => text,
    );
  return { store, texts };
}

describe('the log of who did what', () => {
  it('says each entry as a sentence', async () => {
    const { texts } = await withEntries();
    expect((await texts()).toReversed()).toEqual([
      'ann paused the campaign "spring".',
      'ann added the user "ben" (viewer).',
      'ann sent a list.',
      'ben wanted to start the campaign "spring", which was refused: not allowed.',
      'ben wanted to ask for GET /api/v1/users, which was refused: not allowed.',
      'ben wanted to make the token "spring" from 192.0.2.7, which was refused: not allowed, 12 more times.',
      'ann signed in from 192.0.2.7.',
      'Somebody wanted to sign in as ann from 192.0.2.7, which was refused.',
      'Somebody wanted to sign in from 192.0.2.7, which was refused.',
      'Somebody wanted to open a one-time link, which was refused.',
    ]);
  });

  it('is searched by the words of its sentences, too', async () => {
    const { texts } = await withEntries();
    expect(await texts({ text: 'Paused a' })).toEqual(['ann paused the campaign "spring".']);
    expect(await texts({ text: 'signed in', who: 'ann' })).toHaveLength(2);
    expect(await texts({ text: 'no such words' })).toEqual([]);
  });

  it('says by whom and by what it can be filtered, in words', async () => {
    const { store } = await withEntries();
    const { who, what } = await logChoices(store);
    expect(who).toEqual(['ann', 'ben', 'nobody known']);
    expect(what).toContainEqual({ what: 'campaign.paused', text: 'paused a campaign' });
    expect(what).toContainEqual({ what: 'GET /api/v1/users', text: 'GET /api/v1/users' });
  });

  it('has words for everything that the console does', () => {
    const folders = ['src/console/routes', 'src/app/access'];
    const sources = folders.flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => readFileSync(join(root, folder, name), 'utf8')),
    );
    const done = sources.flatMap((source) =>
      [...source.matchAll(/(?:does:|noteChange\(store, \w+,|what:) '(\w+\.\w+)'/g)].map(
        ([, what = '']) => what,
      ),
    );
    expect(done.length).toBeGreaterThan(25);
    expect(done.filter((what) => kindText(what) === what)).toEqual([]);
  });
});
