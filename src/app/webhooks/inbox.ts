import { existsSync } from 'node:fs';

import { createInbox } from '../../collect/inbox/inbox.ts';
import { invalidFlag } from '../../config/campaign-file.ts';
import { messageOf, usageError, type AppError } from '../../runtime/errors.ts';
import { createDeliveryProtocol } from '../../service/webhooks/delivery-protocol.ts';
import type {
  DeliveryCount,
  DeliveryQuery,
  DeliveryState,
  KeptDelivery,
} from '../../store/deliveries.ts';
import type { Store } from '../../store/port.ts';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import { asSentence } from '../../text/wording.ts';
import { locateDatabase } from '../places/home.ts';
import { openStored } from '../services/collectors.ts';
import type { ServiceRequest } from '../services/service.ts';
import type { World } from '../world.ts';

type InDatabase = Pick<ServiceRequest, 'db'>;

/** The newest deliveries first, and how many there are in each state. */
export function listDeliveries(request: InDatabase & DeliveryQuery, world: World) {
  return withStore(request, world, 'read', async (store) => ({
    deliveries: await store.listDeliveries(request),
    counts: await store.countDeliveries(),
  }));
}

/**
 * A page of deliveries of real calls, the newest first. Creates no database: where there is none, none has come.
 *
 * @param request.after the `next` of the page before; null: the first page
 */
export async function browseInbox(
  request: InDatabase & DeliveryQuery,
  world: World,
): Promise<{ deliveries: KeptDelivery[]; next: string | null; counts: DeliveryCount[] }> {
  const { path } = locateDatabase(request, world, false);
  if (!existsSync(path)) return { deliveries: [], next: null, counts: [] };
  const { limit } = request;
  const found = await listDeliveries({ ...request, limit: limit + 1 }, world);
  const deliveries = found.deliveries.slice(0, limit);
  const next = found.deliveries.length > limit ? (deliveries.at(-1)?.id ?? null) : null;
  return { deliveries, next, counts: found.counts };
}

/** One delivery with its headers and its body. @throws AppError `DELIVERY_UNKNOWN` (exit 2) */
export function findDelivery({ id, db }: InDatabase & { id: string }, world: World) {
  return withStore({ db }, world, 'read', async (store) => {
    const found = await store.findDelivery(id);
    if (found === undefined) throw unknownDelivery(id, store);
    return found;
  });
}

/**
 * Processes one delivery again, or all deliveries in one state.
 *
 * @returns how many were processed, and the single delivery as it is now
 * @throws AppError `FLAG_INVALID` where neither or both are given, `DELIVERY_UNKNOWN` (exit 2)
 */
export function replayDeliveries(
  request: ServiceRequest & { id: string | undefined; state: DeliveryState | undefined },
  world: World,
) {
  return withStore(request, world, 'write', async (store) => {
    const { id, state } = request;
    if ((id === undefined) === (state === undefined)) {
      throw invalidFlag(
        'inbox replay takes the id of one delivery, or --state for all of a state.',
      );
    }
    const which = id === undefined ? { state: state as DeliveryState } : { ids: [id] };
    const count = await store.replayDeliveries(which, world.clock.now());
    if (count === 0 && id !== undefined) throw await cannotReplay(id, store);
    const received = (await store.countDeliveries()).filter((each) => each.state === 'received');
    for (const service of new Set(received.map((each) => each.service)))
      await applyReceived(service, store, request, world);
    return { count, one: id === undefined ? undefined : await store.findDelivery(id) };
  });
}

async function withStore<T>(
  request: InDatabase,
  world: World,
  mode: 'read' | 'write',
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const { path } = locateDatabase(request, world, false);
  // Mode `write` would create a missing database, and a new one does not know who was called before.
  const store = openSqliteStore({ path, mode: existsSync(path) ? mode : 'read' });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function cannotReplay(id: string, store: Store): Promise<AppError> {
  const found = await store.findDelivery(id);
  if (found?.bodyDropped !== true) return unknownDelivery(id, store);
  return usageError(
    'DELIVERY_UNKNOWN',
    `The body of delivery "${id}" was dropped: ${whyDropped(found.state)}.`,
    `\`callsheet inbox show ${id}\` shows its state`,
  );
}

/** Why the body of a delivery is no longer kept; see `createPruning`. */
export function whyDropped(state: DeliveryState): string {
  return ['applied', 'hint', 'ignored'].includes(state)
    ? 'it did its part more than 30 days ago'
    : 'it came more than 90 days ago and led to nothing';
}

function unknownDelivery(id: string, store: Store): AppError {
  return usageError(
    'DELIVERY_UNKNOWN',
    `No delivery "${id}" is in ${store.location}.`,
    '`callsheet inbox list` shows them',
  );
}

/**
 * Processes deliveries that a listener had received but not yet processed when it was killed. This covers every
 * service, because the campaign of such a delivery is not known yet.
 */
export async function applyLeftovers(
  store: Store,
  flags: ServiceRequest,
  world: World,
): Promise<void> {
  for (const { service, state } of await store.countDeliveries()) {
    if (state !== 'received') continue;
    const processed = await applyReceived(service, store, flags, world);
    if (processed > 0)
      world.tell(`Deliveries of ${service} that had not been processed yet: ${processed}.`);
  }
}

/** Processes a service's received deliveries; tells if it cannot be opened. @returns how many were processed */
async function applyReceived(
  name: string,
  store: Store,
  flags: ServiceRequest,
  world: World,
): Promise<number> {
  try {
    const { service, profile, close } = await openStored(name, flags, world);
    try {
      // Signatures were checked on arrival, so no secrets are needed here.
      const protocol = createDeliveryProtocol(profile, []);
      if (protocol === null) return 0;
      const options = { store, service, protocol, feed: new Map(), clock: world.clock };
      const inbox = createInbox({ ...options, notify: () => undefined });
      let processed = 0;
      for (let last = -1; last !== 0; processed += last) last = await inbox.runOnce();
      return processed;
    } finally {
      await close();
    }
  } catch (error) {
    const why = asSentence(messageOf(error));
    world.tell(`Deliveries of ${name} wait for \`callsheet serve\`: ${why}`);
    return 0;
  }
}
