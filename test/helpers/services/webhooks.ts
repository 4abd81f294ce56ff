import { join } from 'node:path';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import {
  webhookPath,
  type Health,
  type ReceiverLimits,
} from '../../../src/collect/inbox/receiver-options.ts';
import { listenForWebhooks, type Receiver } from '../../../src/collect/inbox/webhooks.ts';
import { systemClock, type Clock } from '../../../src/runtime/clock.ts';
import type { Notice } from '../../../src/runtime/log.ts';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import type { DeliveryProtocol } from '../../../src/service/port.ts';
import { createSigner } from '../../../src/service/webhooks/signatures.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/port.ts';
import { PROFILE } from '../../service/helpers.ts';
import { tempFolder } from '../files/temp.ts';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const TOKEN = 'hook_000000000001';

/** The default profile's own way, with or without a secret. */
export function protocol(secrets: readonly string[] = [SECRET]): DeliveryProtocol {
  const made = createDeliveryProtocol(PROFILE, secrets);
  if (made === null) throw new Error('the default profile has webhooks');
  return made;
}

export interface Desk {
  receiver: Receiver;
  store: Store;
  url: string;
  notices: Notice[];
  /** Everything in the inbox, newest first. */
  kept: () => ReturnType<Store['listDeliveries']>;
}

/** A receiver on loopback for the service `main`, with a database file of its own. */
export async function aReceiver(
  given: {
    store?: Store;
    protocol?: DeliveryProtocol;
    clock?: Clock;
    limits?: Partial<ReceiverLimits>;
    health?: Health;
    onDelivery?: () => void;
    onHeld?: (bytes: number) => void;
  } = {},
): Promise<Desk> {
  const path = join(tempFolder(), 'callsheet.db');
  const store = given.store ?? openSqliteStore({ path, mode: 'write' });
  const notices: Notice[] = [];
  let ids = 0;
  const receiver = await listenForWebhooks({
    host: '127.0.0.1',
    port: 0,
    endpoints: [{ service: 'main', token: TOKEN, protocol: given.protocol ?? protocol() }],
    store,
    clock: given.clock ?? systemClock,
    newId: (prefix) => `${prefix}_${(ids += 1)}`,
    notify: (notice) => notices.push(notice),
    onDelivery: given.onDelivery ?? (() => undefined),
    health: given.health,
    ...(given.onHeld !== undefined && { onHeld: given.onHeld }),
    ...(given.limits !== undefined && { limits: given.limits }),
  });
  onTestFinished(async () => {
    await receiver.close();
    if (given.store === undefined) await store.close();
  });
  return {
    receiver,
    store,
    url: receiver.url + webhookPath('main', TOKEN),
    notices,
    kept: () => store.listDeliveries({ state: null, service: null, limit: 1_000 }),
  };
}

export interface Sent {
  id?: string;
  /** Default: signed with SECRET now; null: not signed. */
  secret?: string | null;
  at?: number;
  headers?: Record<string, string>;
}

/** Sends a delivery as the documented service does; what comes back. */
export async function send(
  url: string,
  event: unknown,
  { id = 'evt_1', secret = SECRET, at = Date.now(), headers = {} }: Sent = {},
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  const body = Buffer.isBuffer(event) ? event : Buffer.from(JSON.stringify(event));
  const signature =
    secret === null
      ? {}
      : createSigner({ scheme: 'standard', tolerance: 300 }, secret)(body, id, at);
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signature, ...headers },
    body,
  });
  return { status: answer.statusCode, body: await answer.body.text(), headers: answer.headers };
}
