import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Campaign, CampaignDetail } from '../../../src/views/campaigns.ts';
import type { People } from '../../../src/views/people.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { desk } from '../../helpers/callsheet.ts';
import { START } from '../../helpers/clock.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { operationsOf } from '../../helpers/requests/api-operations.ts';

const NUMBERS = [0, 1, 2, 3, 4, 5].map((n) => `+1212555010${n}`);
const QUICK = ['--service', 'simulated', '--set', 'polling.floor=20ms'];
/** A number as somebody may have written it, with whatever stands between its digits. */
const WRITTEN = NUMBERS.map(
  (number) => new RegExp(Array.from(number.slice(2)).join('[^0-9a-z]{0,3}')),
);
const WHY = `The service refused ${NUMBERS[0] ?? ''} and (212) 555-0101 as unpaid.`;

let console: TestConsole;
beforeAll(async () => {
  const here = desk({}, afterAll);
  const rows = NUMBERS.map((number, n) => `Ann ${n},${number},ask for ${NUMBERS[5 - n] ?? ''}`);
  here.write('trees.csv', `name,phone,note\n${rows.join('\n')}\n`);
  here.write(`only ${NUMBERS[3] ?? ''}.csv`, `name,phone\nAnn,${NUMBERS[3] ?? ''}\n`);
  const list = `only ${NUMBERS[3] ?? ''}.csv`;
  // The evidence of each call names the dated files that were asked.
  const asked = `without ${NUMBERS[4] ?? ''}.csv`;
  here.write(asked, 'phone\n+12125550190\n');
  const rehearsals = ['--db', 'data/simulated.db', '--country', 'US'];
  const dated = await here.run([
    'suppress',
    'import',
    asked,
    '--as-of',
    '2026-01-01',
    ...rehearsals,
  ]);
  expect(dated.err).toContain('1 ');
  expect(await here.run(['run', 'trees.csv', '--concurrency', '6', ...QUICK])).toMatchObject({
    code: 0,
  });
  const later = ['import', 'later', 'trees.csv', '--again', ...QUICK];
  expect(await here.run(later)).toMatchObject({ code: 0 });
  expect(await here.run(['import', 'later', list, '--again'])).toMatchObject({ code: 0 });
  await openSqliteStore({ path: here.path('data/callsheet.db'), mode: 'write' }).close();
  console = await startTestConsole({ folder: here.cwd });
  const reason = `${WHY} Ask there.`;
  await console.json('POST', '/api/v1/suppression', { number: NUMBERS[2], note: reason });
  await pauseAll(here.cwd);
});
afterAll(async () => {
  await console.close();
});

/** Pauses each campaign as the program does, which quotes what the service has said. */
async function pauseAll(folder: string) {
  const store = openSqliteStore({ path: join(folder, 'data', 'simulated.db'), mode: 'write' });
  for (const { id } of await store.listCampaigns()) {
    const entry = { at: START, who: 'callsheet', what: 'campaign.paused', detail: { WHY } };
    await store.changeCampaign(id, { state: 'running' }, entry);
    await store.changeCampaign(id, { pause: { reason: 'breaker', detail: WHY } }, entry);
  }
  await store.close();
}

const foundIn = (text: string) => NUMBERS.filter((_, n) => WRITTEN[n]?.test(text));

describe('a viewer without transcripts', () => {
  it('is told no whole number by any address that they may ask, a refusal included', async () => {
    const { items } = await console.json<People>('GET', '/api/v1/campaigns/trees/people');
    const asked: Record<string, number> = {};
    const told: string[] = [];
    const isFor = ({ method }: { method: string }) => method === 'GET';
    for (const campaign of ['trees', 'later'])
      for (const { path } of (await operationsOf(console, 'X')).filter(isFor)) {
        const of = path
          .replace('/campaigns/X', `/campaigns/${campaign}`)
          .replace('/people/X', `/people/${items[0]?.id ?? ''}`)
          .replace('/services/X', '/services/simulated')
          .replace('/rules/X', '/rules/us-tcpa')
          .replaceAll('/X', `/${encodeURIComponent(WHY)}`);
        const answer = await console.ask('GET', of, undefined, { role: 'viewer' });
        const text = await answer.text();
        asked[of] = answer.status;
        for (const number of foundIn(text)) told.push(`${of}: ${number}`);
      }
    expect(told).toEqual([]);
    const good = Object.entries(asked).filter(([, status]) => status === 200);
    expect(good.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        '/api/v1/campaigns',
        '/api/v1/campaigns/later',
        '/api/v1/campaigns/later/people',
        '/api/v1/suppression',
      ]),
    );
    expect(good.length).toBeGreaterThan(20);
  });

  it('reads why a campaign is paused all the same; who may see numbers reads them, too', async () => {
    const why = (role: 'viewer' | 'operator') =>
      console
        .json<Campaign>('GET', '/api/v1/campaigns/later', undefined, role)
        .then((campaign) => [campaign.pauseDetail, campaign.why].join(' '));
    expect(await why('viewer')).toMatch(/The service refused \+.*as unpaid/);
    expect(foundIn(await why('operator'))).toEqual([NUMBERS[0], NUMBERS[1]]);
  });

  it('is sent no whole number of the calls that ended, beside somebody who is', async () => {
    const read = async (role: 'viewer' | 'operator') =>
      (await console.json<CampaignDetail>('GET', '/api/v1/campaigns/trees', undefined, role)).ended;
    expect(foundIn(JSON.stringify(await read('operator'))).length).toBeGreaterThan(0);
    const masked = await read('viewer');
    expect([masked.length, foundIn(JSON.stringify(masked))]).toEqual([6, []]);
  });

  it('finds nobody by a part of a number: neither by its beginning nor digit by digit', async () => {
    const search = async (text: string) => {
      const asked = `/api/v1/campaigns/trees/people?text=${encodeURIComponent(text)}`;
      const answer = await console.ask('GET', asked, undefined, { role: 'viewer' });
      const { total, items, code } = (await answer.json()) as People & { code?: string };
      return code ?? [total, items.length];
    };
    for (const part of ['5 5 5', '0 1\t0 0', '(0)1-0', '0 . 1 . 0', '5550', '55', '0', '2)'])
      expect([part, await search(part)]).toEqual([part, 'NOT_ALLOWED']);
    const suppressed = await console.ask('GET', '/api/v1/suppression?text=55', undefined, {
      role: 'viewer',
    });
    expect(await suppressed.json()).toMatchObject({ code: 'NOT_ALLOWED' });
    for (const beginning of ['+1212555', '+1 212 555 010'])
      expect([beginning, await search(beginning)]).toEqual([beginning, [0, 0]]);
    for (const whole of ['+12125550103', '+1 (212) 555-0103'])
      expect([whole, await search(whole)]).toEqual([whole, [1, 1]]);
  });
});
