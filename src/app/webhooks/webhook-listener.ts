import type { CallFeed } from '../../collect/polling/poller.ts';
import {
  webhookPath,
  type Health,
  type ListenAt,
  type ServiceEndpoint,
} from '../../collect/inbox/receiver-options.ts';
import { createInbox, type Inbox } from '../../collect/inbox/inbox.ts';
import { listenForWebhooks } from '../../collect/inbox/webhooks.ts';
import type { WebhookCounts } from '../../collect/inbox/deliver.ts';
import type { ServiceConfig } from '../../config/resolve-service.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Notify } from '../../runtime/log.ts';
import { createDeliveryProtocol } from '../../service/webhooks/delivery-protocol.ts';
import type { DeliveryProtocol } from '../../service/port.ts';
import type { Store } from '../../store/port.ts';
import { patiently } from '../places/databases.ts';
import type { World } from '../world.ts';
import type { foldNotices } from '../run/run-events.ts';
import { madeUpSecret, type OpenService } from '../services/service.ts';
import { own } from '../../domain/safe-text.ts';

export interface Listener {
  /** Through this, runs learn what webhooks say about their calls. */
  feed: CallFeed;
  /** The webhook address to enter at each service. */
  addresses: { service: string; url: string; signed: boolean; how: string }[];
  counts: WebhookCounts;
  /** Adds a service. @throws AppError `WEBHOOK_SECRET_MISSING`, `WEBHOOK_SECRET_INVALID` (exit 2) */
  add(opened: OpenService): Promise<void>;
  close(): Promise<void>;
}

interface ListenerOptions {
  store: Store;
  listenAt: ListenAt;
  notices: ReturnType<typeof foldNotices> | null;
  /** Left out: the receiver has no /healthz. */
  health?: Health;
}

/** Receives webhooks and processes them. @throws AppError `WEBHOOK_PORT_UNAVAILABLE` (exit 2) */
export async function startListener(
  { store, listenAt, notices, health }: ListenerOptions,
  world: World,
): Promise<Listener> {
  const { publicUrl } = listenAt;
  const { clock, newId } = world;
  const patient = patiently(store, world);
  const notify: Notify = (notice) => notices?.notify(notice);
  const feed: CallFeed = new Map();
  const endpoints: ServiceEndpoint[] = [];
  const inboxes = new Map<string, Inbox>();
  const prefix = newId('dlv').slice(0, 'dlv_0000'.length);
  const receiver = await listenForWebhooks({
    ...listenAt,
    endpoints,
    store,
    clock,
    newId,
    notify,
    health,
    receiver: prefix,
    onDelivery: (service) => inboxes.get(service)?.wake(),
  });
  const stopping = new AbortController();
  const running: Promise<void>[] = [];
  const addresses: Listener['addresses'] = [];

  return {
    feed,
    addresses,
    counts: receiver.counts,
    add: async ({ config, service, profile, embedded }) => {
      const { name } = service;
      const secrets = embedded === null ? readSecrets(config, world) : [madeUpSecret(world)];
      const protocol = createDeliveryProtocol(profile, secrets, config.key);
      if (protocol === null || inboxes.has(name)) return;
      const token = await patient.webhookToken(name, newId('hook'), clock.now());
      endpoints.push({ service: name, token, protocol });
      const path = webhookPath(name, token);
      addresses.push({
        service: name,
        url: (publicUrl ?? receiver.url) + path,
        signed: protocol.proves === 'all',
        how: HOW[protocol.proves],
      });
      const inbox = createInbox({
        ...{ store, service, protocol, feed, clock, notify, receiver: prefix },
      });
      inboxes.set(name, inbox);
      running.push(inbox.run(stopping.signal));
      embedded?.sendWebhooksTo({ url: receiver.url + path, secret: secrets[0] ?? null });
    },
    close: async () => {
      await receiver.close();
      stopping.abort();
      await Promise.all(running);
      // Deliveries acknowledged last are processed now, so that results have them before another listener starts.
      for (const inbox of inboxes.values()) await inbox.runOnce().catch(() => 0);
      notices?.flush();
    },
  };
}

/** Tells the webhook address of each service, a sentence for each. */
export function tellAddresses({ addresses }: Pick<Listener, 'addresses'>, world: World): void {
  for (const { service, url, how } of addresses)
    world.tell(`Webhooks of ${service} go to ${url} (${how}).`);
}

const ASKED = 'what they say about a call counts only once the service confirms it';
const HOW: Record<DeliveryProtocol['proves'], string> = {
  all: 'signed',
  fields: `only their call ids are signed: ${ASKED}`,
  nothing: `not signed: ${ASKED}`,
};

/**
 * The secrets of a service: any of them may have signed, as both are configured while one is being changed.
 *
 * @throws AppError `WEBHOOK_SECRET_MISSING` (exit 2): taking unsigned deliveries instead would be a hole
 */
export function readSecrets(
  { name, webhookSecretEnv }: ServiceConfig,
  world: Pick<World, 'env'>,
): string[] {
  return webhookSecretEnv.map((variable) => {
    const secret = (own(world.env, variable) ?? '').trim();
    if (secret !== '') return secret;
    throw usageError(
      'WEBHOOK_SECRET_MISSING',
      `The webhook secret of service ${name}: ${variable} is empty or not set.`,
      `set ${variable}, or take it out of webhookSecretEnv in services.yaml`,
    );
  });
}
