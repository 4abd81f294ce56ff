import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CallFeed } from '../../src/collect/call-feed.ts';
import { Inbox } from '../../src/collect/inbox.ts';
import { webhookPath } from '../../src/collect/webhook-address.ts';
import type { WebhookCounts } from '../../src/collect/webhook-counts.ts';
import { listenForWebhooks } from '../../src/collect/webhooks.ts';
import type { CampaignSettings } from '../../src/domain/campaign.ts';
import { LookPlan } from '../../src/domain/look-plan.ts';
import { runCampaign } from '../../src/runner.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { randomId } from '../../src/runtime/ids.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { createDeliveryProtocol } from '../../src/service/deliveries.ts';
import { createVoiceService } from '../../src/service/http.ts';
import type { VoiceService } from '../../src/service/port.ts';
import { loadProfile } from '../../src/service/profile.ts';
import type { Profile } from '../../src/service/profile.ts';
import type { Campaign, ExportRow, HistoryEntry, Store } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { ME } from '../helpers/campaign-run.ts';
import { aCampaign, aPhone, CREATED } from '../helpers/factory.ts';
import { PROVIDERS } from '../helpers/providers/provider.ts';
import type {
  EventFaults,
  LedgerCall,
  Provider,
  ProviderName,
} from '../helpers/providers/provider.ts';
import { startProvider } from '../helpers/providers/start.ts';
import { tempFolder } from '../helpers/temp.ts';

const LEADS = 200;
const ENTRY: HistoryEntry = { at: 0, who: 'operator', what: 'test.done', detail: {} };

/** How results come back: what is polled, and what the provider's webhooks meet on their way. */
const WAYS: Record<string, { polling: CampaignSettings['polling']; faults: EventFaults | null }> = {
  'by polling alone': {
    polling: { floorMs: 50, ceilingMs: 300, deadlineMs: 30_000 },
    faults: null,
  },
  // Whoever is polled here is polled after the test has given up.
  'by webhooks alone': {
    polling: { floorMs: 600_000, ceilingMs: 600_000, deadlineMs: 7_200_000 },
    faults: {},
  },
  'by both, with webhooks lost, repeated, early and out of order': {
    polling: { floorMs: 200, ceilingMs: 500, deadlineMs: 30_000 },
    faults: { lost: 0.03, repeated: 0.05, early: 0.05, late: 0.05 },
  },
};

describe.each(Object.keys(WAYS))(
  `${LEADS} leads come back %s as the provider's ledger has them`,
  (way) => {
    test.each(PROVIDERS)('from %s', { timeout: 60_000 }, async (name) => {
      const { polling, faults } = WAYS[way] ?? fail();
      const provider = await startProvider(name, { callMs: 100, lagMs: 50 });
      onTestFinished(() => provider.close());
      const { store, campaign, rows } = await aCampaignOf(provider, polling);
      const service = serviceAt(provider);
      onTestFinished(() => service.close());
      const heard = faults === null ? undefined : await listenTo(provider, service, store, faults);

      const agents = await service.listAgents();
      expect(agents).toMatchObject({ complete: true });
      expect(agents.agents.map(({ id }) => id)).toContain(provider.agent);

      const end = await runCampaign({
        store,
        campaign,
        dialAt: { service, maxCalls: null },
        collectFrom: [service],
        clock: systemClock,
        owner: ME,
        isGone: () => false,
        limit: null,
        until: null,
        waitUntil: null,
        notify: () => undefined,
        feed: heard?.feed,
        stopDialling: new AbortController().signal,
        stop: new AbortController().signal,
      });

      expect(end).toMatchObject({ dispatch: 'none_waiting', drained: true, keyRefused: false });
      if (way === 'by webhooks alone' && bringsAnalytics(profileOf(name))) {
        // What is signed is believed: few calls are read, if any, beside the dials and the agents before them.
        expect(provider.requests().length).toBeLessThan(LEADS * 1.4);
      }
      const ledger = new Map(provider.ledger().map((call) => [call.phone, call]));
      // Every signature was right, made by the provider's own specification.
      const ends = Object.keys(heard?.counts.toJSON() ?? {}).filter((each) => each !== 'repeated');
      expect(ends).toEqual(faults === null ? [] : ['kept']);
      expect(provider.invalid()).toEqual([]);
      // Every phone rang once.
      expect([ledger.size, provider.ledger().length]).toEqual([LEADS, LEADS]);
      const told = await rows();
      expect(told).toHaveLength(LEADS);
      expect(told.map((row) => factsOf(row, name))).toEqual(
        told.map(({ phone }) => expectedOf(ledger.get(phone), name)),
      );
      expect(provider.ledger()[0]?.variables).toEqual(VARIABLES[name](provider.ledger()[0]?.phone));
    });
  },
);

/** Receives what the provider sends of itself, as `run --webhooks` does. */
async function listenTo(
  provider: Provider,
  service: VoiceService,
  store: Store,
  faults: EventFaults,
): Promise<{ feed: CallFeed; counts: WebhookCounts }> {
  const { name, webhookSecret } = provider;
  const isSigned = profileOf(name).webhooks?.signature.scheme !== 'none';
  const secrets = isSigned && webhookSecret !== null ? [webhookSecret] : [];
  const protocol = createDeliveryProtocol(profileOf(name), secrets) ?? fail();
  const feed = new CallFeed();
  const clock = systemClock;
  const notify = () => undefined;
  const plan = new LookPlan({ floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 });
  const inbox = new Inbox({ store, service, protocol, feed, plan, clock, notify });
  const receiver = await listenForWebhooks({
    host: '127.0.0.1',
    port: 0,
    endpoints: [{ service: name, token: 'hook_1', protocol }],
    store,
    clock,
    newId: randomId,
    notify,
    onDelivery: () => {
      inbox.wake();
    },
  });
  const stopping = new AbortController();
  const running = inbox.run(stopping.signal);
  onTestFinished(async () => {
    await receiver.close();
    stopping.abort();
    await running;
  });
  provider.sendWebhooksTo({ url: receiver.url + webhookPath(name, 'hook_1'), faults });
  return { feed, counts: receiver.counts };
}

/** What is signed and has it all needs no look. */
function bringsAnalytics({ webhooks }: Profile): boolean {
  const meanings = [...(webhooks?.events.values() ?? [])];
  return webhooks?.signature.scheme !== 'none' && meanings.includes('analytics');
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

function serviceAt({ name, url, key, from }: Provider) {
  return createVoiceService({
    name,
    url,
    key,
    from,
    profile: profileOf(name),
    clock: systemClock,
    random: seededRandom('providers'),
  });
}

const profiles = new Map<string, Profile>();

function profileOf(name: string): Profile {
  const path = `campaigns/profiles/${name}.yaml`;
  const profile = profiles.get(name) ?? loadProfile(readFileSync(path, 'utf8'), path);
  profiles.set(name, profile);
  return profile;
}

async function aCampaignOf(
  provider: Provider,
  polling: CampaignSettings['polling'],
): Promise<{ store: Store; campaign: Campaign; rows: () => Promise<ExportRow[]> }> {
  const store = openSqliteStore({ path: join(tempFolder(), 'callsheet.db'), mode: 'dial' });
  onTestFinished(() => store.close());
  const id = 'cmp_spring';
  const settings = {
    agent: provider.agent,
    concurrency: 50,
    requests: 16,
    polling,
  };
  const service = provider.name;
  await store.createCampaign({ ...aCampaign({ id, settings }), service }, CREATED);
  const headers = ['phone', 'First name'];
  const list = { id: 'list_1', path: 'spring.csv', sha256: 'x', headers, at: 0 };
  await store.beginList(id, list);
  const leads = Array.from({ length: LEADS }, (_, n) => aPhone(n));
  await store.addLeads(
    'list_1',
    leads.map((phone, n) => ({ phone, line: n + 2, cells: [phone, 'Ana'] })),
  );
  await store.finishList('list_1', { good: LEADS, rejected: 0, duplicates: 0 });
  const campaign = await store.changeCampaign(id, { state: 'running' }, ENTRY);
  return { store, campaign, rows: () => store.exportPage(id, null, 1_000) };
}
