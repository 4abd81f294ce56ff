import { describe, expect, test } from 'vitest';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import type { ExportRow } from '../../../src/store/port.ts';
import {
  aCampaignOf,
  listenTo,
  runAt,
  serviceAt,
} from '../../helpers/services/provider-campaign.ts';
import { shareOf } from '../../helpers/properties.ts';
import { PROVIDERS } from '../../helpers/providers/provider.ts';
import type { Provider, ProviderName, Trouble } from '../../helpers/providers/provider.ts';
import { knownOf, startProvider } from '../../helpers/providers/start.ts';
import type { AtEnd } from '../../helpers/files/temp.ts';

/**
 * Trouble that is nobody's on the list, in the middle of it: money, configuration, no free line. The tests wait more
 * than they work, so they run beside each other.
 */

const LEADS = 10;
/** The dials before the trouble; a service that has answered none yet is another matter. */
const BEFORE = 6;
/** Calls that end for want of a free line before there is one. */
const ENDED_FULL = 3;
/** With it the first 6 people reach every outcome. */
const SEED = 'pear';

const WAYS: Record<string, { polling: CampaignSettings['polling']; listens: boolean }> = {
  'by polling': {
    polling: { floorMs: 120, ceilingMs: 300, deadlineMs: 30_000 },
    listens: false,
  },
  // Webhooks are there long before anybody is polled; what one leaves out, such as a price, is read after it.
  'by webhooks': {
    polling: { floorMs: 2_000, ceilingMs: 600_000, deadlineMs: 7_200_000 },
    listens: true,
  },
};

type Case = [name: ProviderName, trouble: Trouble];
const casesOf = (kinds: readonly Trouble[]): Case[] =>
  PROVIDERS.flatMap((name) =>
    knownOf(name)
      .troubles.filter((trouble) => kinds.includes(trouble))
      .map((trouble): Case => [name, trouble]),
  );

/**
 * What a service says of a trouble is mapped the same however it comes, which the tests of its profile show: each
 * provider meets each trouble in one of the ways, and both ways meet both kinds. A third of them is tried, by the seed which.
 */
const mineOf = (way: string, kinds: readonly Trouble[]): Case[] =>
  shareOf(
    casesOf(kinds).filter((_, n) => Object.keys(WAYS)[n % 2] === way),
    3,
  );

describe.each(Object.keys(WAYS))(`${LEADS} people of all outcomes, %s`, (way) => {
  test.concurrent.for([
    ...mineOf(way, ['money', 'configuration']),
    ...mineOf(way, ['ended_unpaid']),
  ])(
    'trouble at %s (%s) in the middle of the list pauses, loses nobody, and after it everybody is called once',
    { timeout: 60_000 },
    async ([name, trouble], { onTestFinished: atEnd }) => {
      let dials = 0;
      let isMended = false;
      const asked = { trouble: () => (!isMended && ++dials > BEFORE ? trouble : null) };
      const { provider, campaign, run } = await begun(name, way, asked, atEnd);

      expect(await run(campaign.campaign)).toMatchObject({ dispatch: 'paused', drained: true });
      const paused = await campaign.store.findCampaign(campaign.campaign.name);
      expect(paused).toMatchObject({ state: 'paused' });
      expect(['profile', 'key']).toContain(paused?.pauseReason);
      const rows = await campaign.rows();
      expect(rows).toHaveLength(LEADS);
      const called = rows.filter(({ state }) => state === 'done');
      const others = rows.filter(({ state }) => state !== 'done');
      expect(called.length).toBeGreaterThan(0);
      expect(called.map(resultOf)).toEqual(called.map(({ phone }) => rangOf(provider, phone)));
      expect(others.map(({ state, attempts }) => [state, attempts])).toEqual(
        Array(others.length).fill(['waiting', 0]),
      );
      expect(others.flatMap(({ phone }) => rangOf(provider, phone))).toEqual([]);

      isMended = true;
      const again = await run(await campaign.resume());
      expect(again).toMatchObject({ dispatch: 'none_waiting', drained: true });
      await expectAllCalledOnce(provider, campaign);
    },
  );

  test.concurrent.for(mineOf(way, ['ended_full']))(
    'calls that %s ends without ringing (%s) are made later in the same run',
    { timeout: 60_000 },
    async ([name, trouble], { onTestFinished: atEnd }) => {
      let dials = 0;
      const { provider, campaign, run } = await begun(
        name,
        way,
        {
          trouble: () => {
            const isFull = ++dials > BEFORE && dials <= BEFORE + ENDED_FULL;
            return isFull ? trouble : null;
          },
        },
        atEnd,
      );

      expect(await run(campaign.campaign)).toMatchObject({ dispatch: 'none_waiting' });
      expect(provider.ledger().filter(({ rang }) => !rang)).toHaveLength(ENDED_FULL);
      await expectAllCalledOnce(provider, campaign);
    },
  );
});

async function begun(
  name: ProviderName,
  way: string,
  options: { trouble: () => Trouble | null },
  atEnd: AtEnd,
) {
  const { polling, listens } = WAYS[way] ?? fail();
  const provider = await startProvider(name, { callMs: 100, lagMs: 50, seed: SEED, ...options });
  atEnd(() => provider.close());
  const campaign = await aCampaignOf(
    provider,
    LEADS,
    { concurrency: 5, requests: 5, polling },
    atEnd,
  );
  const service = serviceAt(provider, atEnd);
  const { store } = campaign;
  const heard = listens ? await listenTo(provider, service, store, {}, atEnd) : undefined;
  const run = (of: typeof campaign.campaign) =>
    runAt(service, { store, campaign: of, feed: heard?.feed });
  return { provider, campaign, run };
}

/** In the end: each phone rang once, the results say what the ledger says, and no request was wrong. */
async function expectAllCalledOnce(
  provider: Provider,
  { rows }: { rows: () => Promise<ExportRow[]> },
): Promise<void> {
  const told = await rows();
  expect(told).toHaveLength(LEADS);
  const rang = told.map(({ phone }) => rangOf(provider, phone));
  expect(told.map(resultOf)).toEqual(rang);
  expect(rang.every((outcomes) => outcomes.length === 1)).toBe(true);
  expect(new Set(rang.flat())).toEqual(new Set(knownOf(provider.name).outcomes));
  expect(provider.invalid()).toEqual([]);
}

function resultOf({ result }: ExportRow) {
  return [result];
}

/** What became of the calls at which this phone rang. */
function rangOf(provider: Provider, phone: string): string[] {
  const calls = provider.ledger().filter((call) => call.phone === phone && call.rang);
  return calls.map(({ outcome }) => outcome);
}

function fail(): never {
  throw new Error('a test that is not whole');
}
