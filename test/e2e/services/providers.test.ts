import { describe, expect, test } from 'vitest';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import type { Profile } from '../../../src/service/profile/profile.ts';
import type { ExportRow } from '../../../src/store/port.ts';
import {
  aCampaignOf,
  listenTo,
  profileOf,
  runAt,
  serviceAt,
} from '../../helpers/services/provider-campaign.ts';
import { shareOf } from '../../helpers/properties.ts';
import { PROVIDERS } from '../../helpers/providers/provider.ts';
import type {
  EventFaults,
  LedgerCall,
  Provider,
  ProviderName,
} from '../../helpers/providers/provider.ts';
import { knownOf, startProvider } from '../../helpers/providers/start.ts';

const LEADS = 12;
/** With it the first 6 people reach every outcome. */
const SEED = 'pear';

/** How results come back: what is polled, and what the provider's webhooks meet on their way. */
const WAYS: Record<
  string,
  { polling: CampaignSettings['polling']; faults: EventFaults | null; of?: readonly ProviderName[] }
> = {
  'by polling alone': {
    polling: { floorMs: 120, ceilingMs: 300, deadlineMs: 30_000 },
    faults: null,
  },
  // Seldom polled: only for what a webhook leaves out, such as a price that comes a moment later.
  'by webhooks alone': {
    polling: { floorMs: 5_000, ceilingMs: 600_000, deadlineMs: 7_200_000 },
    faults: {},
  },
  'by both, with webhooks lost, repeated, early and out of order': {
    polling: { floorMs: 200, ceilingMs: 500, deadlineMs: 30_000 },
    faults: { lost: 0.1, repeated: 0.15, early: 0.15, late: 0.15 },
    // What is the provider's own, the other ways show of each.
    of: shareOf(PROVIDERS, 4),
  },
};

describe.each(Object.keys(WAYS))(
  `${LEADS} leads come back %s as the provider's ledger has them`,
  (way) => {
    // They wait more than they work.
    test.concurrent.for(WAYS[way]?.of ?? PROVIDERS)(
      'from %s',
      { timeout: 60_000 },
      async (name, { onTestFinished: atEnd }) => {
        const { polling, faults } = WAYS[way] ?? fail();
        const provider = await startProvider(name, { callMs: 100, lagMs: 50, seed: SEED });
        atEnd(() => provider.close());
        const { store, campaign, rows } = await aCampaignOf(
          provider,
          LEADS,
          { concurrency: 50, polling },
          atEnd,
        );
        const service = serviceAt(provider, atEnd);
        const heard =
          faults === null ? undefined : await listenTo(provider, service, store, faults, atEnd);

        const agents = await service.listAgents();
        expect(agents).toMatchObject({ complete: true });
        expect(agents.agents.map(({ id }) => id)).toContain(provider.agent);

        const end = await runAt(service, { store, campaign, feed: heard?.feed });

        expect(end).toMatchObject({ dispatch: 'none_waiting', drained: true, keyRefused: false });
        if (way === 'by webhooks alone' && bringsAnalytics(profileOf(name))) {
          // What is signed is believed. Retell says that a call ended before it sends what came of it: in between it may be read.
          const reads = readsIn(provider);
          expect(new Set(reads).size).toBe(name === 'retell' ? reads.length : 0);
        }
        const ledger = new Map(provider.ledger().map((call) => [call.phone, call]));
        // Every signature was right, made by the provider's own specification.
        const ends = Object.keys(heard?.counts.toJSON() ?? {}).filter(
          (each) => each !== 'repeated',
        );
        expect(ends).toEqual(faults === null ? [] : ['kept']);
        expect(provider.invalid()).toEqual([]);
        // Every phone rang once.
        expect([ledger.size, provider.ledger().length]).toEqual([LEADS, LEADS]);
        // They are enough that everything came of a call that can.
        const outcomes = new Set([...ledger.values()].map(({ outcome }) => outcome));
        expect([...outcomes].toSorted()).toEqual([...knownOf(name).outcomes].toSorted());
        const told = await rows();
        expect(told).toHaveLength(LEADS);
        expect(told.map((row) => factsOf(row, name))).toEqual(
          told.map(({ phone }) => expectedOf(ledger.get(phone), name)),
        );
        expect(provider.ledger()[0]?.variables).toEqual(
          VARIABLES[name](provider.ledger()[0]?.phone),
        );
      },
    );
  },
);

/** What was asked about single calls, in order. */
function readsIn(provider: Provider): string[] {
  const ids = new Set(provider.ledger().map(({ callId }) => callId));
  return provider.requests().filter((each) => ids.has(each.slice(each.lastIndexOf('/') + 1)));
}

/** What is signed and has it all needs no look. */
function bringsAnalytics({ webhooks }: Profile): boolean {
  const meanings = (webhooks?.events.entries ?? []).map(([, meaning]) => meaning);
  if (webhooks?.signature.scheme === 'none' || !meanings.includes('analytics')) return false;
  // Telnyx tells all but who answered.
  return webhooks?.events.get('completed') !== 'ended';
}

function fail(): never {
  throw new Error('a test that is not whole');
}

/** What the dial brings of the list's columns, where the provider takes any. */
const columns = (phone: string | undefined) => ({ phone, 'First name': 'Ana' });
const VARIABLES: Record<ProviderName, (phone: string | undefined) => Record<string, unknown>> = {
  vapi: columns,
  retell: columns,
  elevenlabs: columns,
  bland: columns,
  bolna: columns,
  twilio: () => ({}),
  synthflow: columns,
  telnyx: columns,
  ultravox: columns,
  vogent: columns,
  cartesia: columns,
};

function factsOf({ result, attempt, analytics }: Omit<ExportRow, 'phone'>, name: ProviderName) {
  return {
    result,
    callId: attempt?.callId,
    durationS: (analytics?.durationMs ?? 0) / 1_000,
    sentiment: analytics?.sentiment?.label ?? null,
    transcript: withSpeakers(analytics?.transcript ?? '', name),
    summary: analytics?.summary === '' ? null : analytics?.summary,
    cost: analytics?.cost ?? '0',
  };
}

function expectedOf(call: LedgerCall | undefined, name: ProviderName) {
  if (call === undefined) throw new Error('a row without a call');
  return {
    result: call.outcome,
    callId: call.callId,
    durationS: call.durationS,
    // Its single reads have none.
    sentiment: name === 'elevenlabs' ? null : call.sentiment,
    transcript: call.transcript,
    summary: call.summary,
    cost: String(call.costUsd ?? 0),
  };
}

/** Bolna's transcript is text with its own words for the speakers. */
function withSpeakers(transcript: string, name: ProviderName): string {
  if (name !== 'bolna') return transcript;
  return transcript
    .trim()
    .replaceAll(/^assistant:/gm, 'agent:')
    .replaceAll(/^user:/gm, 'person:');
}
