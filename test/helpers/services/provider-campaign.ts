import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CallFeed } from '../../../src/collect/polling/poller.ts';
import { createInbox } from '../../../src/collect/inbox/inbox.ts';
import { webhookPath } from '../../../src/collect/inbox/receiver-options.ts';
import type { WebhookCounts } from '../../../src/collect/inbox/deliver.ts';
import { listenForWebhooks } from '../../../src/collect/inbox/webhooks.ts';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import { runCampaign } from '../../../src/run-campaign.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { randomId, seededRandom } from '../../../src/runtime/random.ts';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { createVoiceService } from '../../../src/service/voice-service.ts';
import type { VoiceService } from '../../../src/service/port.ts';
import { loadProfile, type Profile } from '../../../src/service/profile/profile.ts';
import type { Campaign, ExportRow, HistoryEntry, Store } from '../../../src/store/port.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { ME } from '../campaign-run.ts';
import { aCampaign, aPhone, CREATED } from '../factory.ts';
import type { EventFaults, Provider } from '../providers/provider.ts';
import { freshDatabase } from '../files/fresh-database.ts';
import { tempFolder, type AtEnd } from '../files/temp.ts';

/** Campaigns of a provider's stand-in, over real HTTP, with its own profile. */

const ENTRY: HistoryEntry = { at: 0, who: 'operator', what: 'test.done', detail: {} };

export interface ProviderCampaign {
  store: Store;
  campaign: Campaign;
  rows: () => Promise<ExportRow[]>;
  /** As an operator's `resume`. */
  resume: () => Promise<Campaign>;
}

/** A campaign that may be run, with `leads` people of the list's columns `phone` and `First name`. */
export async function aCampaignOf(
  provider: Provider,
  leads: number,
  settings: Partial<CampaignSettings>,
  atEnd: AtEnd = onTestFinished,
): Promise<ProviderCampaign> {
  const path = join(tempFolder(atEnd), 'callsheet.db');
  freshDatabase(path);
  const store = openSqliteStore({ path, mode: 'dial' });
  atEnd(() => store.close());
  const id = 'cmp_spring';
  const all = { agent: provider.agent, requests: 16, ...settings };
  const service = provider.name;
  await store.createCampaign({ ...aCampaign({ id, settings: all }), service }, CREATED);
  const headers = ['phone', 'First name'];
  const list = { id: 'list_1', path: 'spring.csv', sha256: 'x', headers, at: 0 };
  await store.beginList(id, list);
  const phones = Array.from({ length: leads }, (_, n) => aPhone(n));
  await store.addLeads(
    'list_1',
    phones.map((phone, n) => ({ phone, line: n + 2, cells: [phone, 'Ana'] })),
  );
  await store.finishList('list_1', { good: leads, rejected: 0, duplicates: 0 });
  const resume = () => store.changeCampaign(id, { state: 'running' }, ENTRY);
  const campaign = await resume();
  return { store, campaign, resume, rows: () => store.exportPage(id, null, 1_000) };
}

/** Runs it to its end, or until it pauses. */
export function runAt(
  service: VoiceService,
  { store, campaign, feed }: { store: Store; campaign: Campaign; feed: CallFeed | undefined },
): ReturnType<typeof runCampaign> {
  return runCampaign({
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
    feed,
    stopDialling: new AbortController().signal,
    stop: new AbortController().signal,
  });
}

/** Receives what the provider sends of itself, as `run --webhooks` does. */
export async function listenTo(
  provider: Provider,
  service: VoiceService,
  store: Store,
  faults: EventFaults,
  atEnd: AtEnd = onTestFinished,
): Promise<{ feed: CallFeed; counts: WebhookCounts }> {
  const { name, webhookSecret } = provider;
  const isSigned = profileOf(name).webhooks?.signature.scheme !== 'none';
  const secrets = isSigned && webhookSecret !== null ? [webhookSecret] : [];
  const protocol = createDeliveryProtocol(profileOf(name), secrets);
  if (protocol === null) throw new Error(`${name} sends nothing of itself`);
  const feed: CallFeed = new Map();
  const clock = systemClock;
  const notify = () => undefined;
  const inbox = createInbox({ store, service, protocol, feed, clock, notify });
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
  atEnd(async () => {
    await receiver.close();
    stopping.abort();
    await running;
  });
  provider.sendWebhooksTo({ url: receiver.url + webhookPath(name, 'hook_1'), faults });
  return { feed, counts: receiver.counts };
}

export function serviceAt(provider: Provider, atEnd: AtEnd = onTestFinished): VoiceService {
  const { name, url, key, from, ids } = provider;
  const service = createVoiceService({
    name,
    url,
    key,
    from,
    ids,
    profile: profileOf(name),
    clock: systemClock,
    random: seededRandom('providers'),
  });
  atEnd(() => service.close());
  return service;
}

const profiles = new Map<string, Profile>();

/** The profile that comes with callsheet. */
export function profileOf(name: string): Profile {
  const path = `campaigns/profiles/${name}.yaml`;
  const profile = profiles.get(name) ?? loadProfile(readFileSync(path, 'utf8'), path);
  profiles.set(name, profile);
  return profile;
}
