import { describe, expect, it } from 'vitest';
import type { LogQuery } from '../../../../src/store/console.ts';
import { START } from '../../../helpers/clock.ts';
import { aConsole } from './a-console.ts';

describe('a draft', () => {
  const draft = {
    id: 'drf_1',
    at: START,
    who: 'ann',
    body: { name: 'spring', columns: ['phone'] },
  };

  it('comes back as it was left, the one that was changed last first', async () => {
    const { store } = aConsole();
    const kept = { ...draft, changedAt: START, version: 1, campaign: null };
    expect(await store.addDraft(draft)).toEqual(kept);
    expect(await store.findDraft('drf_1')).toEqual(kept);
    await store.addDraft({ ...draft, id: 'drf_2', at: START + 1 });
    expect((await store.drafts()).map(({ id }) => id)).toEqual(['drf_2', 'drf_1']);
  });

  it('that two people change keeps the first change, and the second is told', async () => {
    const { store } = aConsole();
    await store.addDraft(draft);
    const change = { id: 'drf_1', version: 1, changedAt: START + 5 };
    const first = await store.changeDraft({ ...change, who: 'ben', body: { name: 'autumn' } });
    const second = await store.changeDraft({ ...change, who: 'cy', body: { name: 'winter' } });
    expect(second).toBeUndefined();
    expect(await store.findDraft('drf_1')).toEqual(first);
    expect(first).toMatchObject({ version: 2, who: 'ben', body: { name: 'autumn' } });
  });

  it('that is removed leaves its uploads, without a draft', async () => {
    const { store } = aConsole();
    await store.addDraft(draft);
    const upload = { id: 'upl_1', name: 'leads.csv', path: '/srv/u/upl_1', bytes: 12, at: START };
    await store.addUpload({ ...upload, draft: 'drf_1' });
    await store.addUpload({ ...upload, id: 'upl_2', at: START + 5, draft: null });
    expect(await store.uploads({ draft: 'drf_1' })).toEqual([{ ...upload, draft: 'drf_1' }]);
    expect(await store.removeDraft('drf_1')).toBe(true);
    expect(await store.findUpload('upl_1')).toEqual({ ...upload, draft: null });
    expect((await store.uploads({ before: START + 5 })).map(({ id }) => id)).toEqual(['upl_1']);
    expect(await store.setUploadDraft({ id: 'upl_3', draft: null })).toBe(false);
    expect(await store.removeUpload('upl_1')).toBe(true);
    expect((await store.uploads()).map(({ id }) => id)).toEqual(['upl_2']);
  });
});

describe('the log', () => {
  async function withEntries() {
    const { store } = aConsole();
    const entry = (who: string, what: string, target: string | null, detail = {}) =>
      store.appendLog({ at: START, who, what, target, outcome: 'done', detail });
    await entry('ann', 'campaign.started', 'spring');
    await entry('ben', 'campaign.paused', 'spring', { reason: '100% sure' });
    await entry('token crm', 'campaign.started', 'autumn');
    await entry('ann', 'user.added', 'ben');
    const page = async (query: Partial<LogQuery>) =>
      (await store.logPage({ before: null, limit: 10, ...query })).map(({ id }) => id);
    return { store, page };
  }

  it('is read from the newest, page by page', async () => {
    const { store, page } = await withEntries();
    expect(await page({ limit: 3 })).toEqual([4, 3, 2]);
    expect(await page({ limit: 3, before: 2 })).toEqual([1]);
    expect((await store.logPage({ before: 3, limit: 1 }))[0]).toEqual({
      ...{ id: 2, at: START, who: 'ben', what: 'campaign.paused', target: 'spring' },
      ...{ outcome: 'done', detail: { reason: '100% sure' } },
    });
  });

  it('is searched by who, by what, and by a text in any column, in which no sign is special', async () => {
    const { page } = await withEntries();
    expect(await page({ who: 'ann' })).toEqual([4, 1]);
    expect(await page({ what: 'campaign.started', who: 'token crm' })).toEqual([3]);
    expect(await page({ text: 'SPRING' })).toEqual([2, 1]);
    expect(await page({ text: '100%' })).toEqual([2]);
    expect(await page({ text: '%' })).toEqual([2]);
    expect(await page({ text: '_' })).toEqual([]);
    expect(await page({ text: '' })).toHaveLength(4);
  });

  it('is searched by the words that people read, where they are given with the text', async () => {
    const { page } = await withEntries();
    expect(await page({ text: 'let it be called', kinds: ['campaign.started'] })).toEqual([3, 1]);
  });

  it('is searched from one moment until before another', async () => {
    const { store } = aConsole();
    for (const at of [START, START + 5, START + 10])
      await store.appendLog({
        ...{ at, who: 'ann', what: 'user.added', target: 'ben', outcome: 'done', detail: {} },
      });
    const times = async (query: Partial<LogQuery>) =>
      (await store.logPage({ before: null, limit: 10, ...query })).map(({ at }) => at - START);
    expect(await times({ from: START + 5 })).toEqual([10, 5]);
    expect(await times({ to: START + 5 })).toEqual([0]);
    expect(await times({ from: START + 5, to: START + 10 })).toEqual([5]);
  });

  it('says whom and what it names', async () => {
    const { store } = await withEntries();
    expect(await store.logNames()).toEqual({
      who: ['ann', 'ben', 'token crm'],
      what: ['campaign.paused', 'campaign.started', 'user.added'],
    });
  });
});

describe('a console that listens', () => {
  const owner = { host: 'srv', boot: 'b1', pid: 7 };
  const here = { url: 'http://127.0.0.1:4281', owner, at: START };

  it('is known until it says that it ended, the newest first', async () => {
    const { store } = aConsole();
    const other = { ...here, url: 'http://127.0.0.1:4282', at: START + 1 };
    await store.addListening(here);
    await store.addListening(other);
    expect(await store.listening()).toEqual([other, here]);
    await store.removeListening(other);
    expect(await store.listening()).toEqual([here]);
  });

  it('does not end the one that has taken its place', async () => {
    const { store } = aConsole();
    await store.addListening(here);
    const next = { ...here, owner: { ...owner, pid: 8 }, at: START + 1 };
    await store.addListening(next);
    await store.removeListening(here);
    expect(await store.listening()).toEqual([next]);
  });
});
