import { createInbox } from '../../collect/inbox/inbox.ts';
import { invalidFlag } from '../../config/campaign-file.ts';
import { messageOf, usageError, type AppError } from '../../runtime/errors.ts';
import { createDeliveryProtocol } from '../../service/webhooks/delivery-protocol.ts';
import type { DeliveryQuery, DeliveryState, KeptDelivery } from '../../store/deliveries.ts';
import type { Store } from '../../store/port.ts';
import { timesIn } from '../../text/times.ts';
import { asSentence } from '../../text/wording.ts';
import type { Deliveries, Delivery, DeliveryDetail, Replayed } from '../../views/calls.ts';
import { withStore } from '../places/databases.ts';
import { isThere, locateDatabase } from '../places/home.ts';
import { openStored } from '../services/known-services.ts';
import type { ServiceRequest } from '../services/service.ts';
import { nameFinder } from '../watch/people.ts';
import type { World } from '../world.ts';

type InDatabase = Pick<ServiceRequest, 'db'>;

/** A page of deliveries, the newest first, and how many there are in each state. */
export function listDeliveries(
  { limit, ...request }: InDatabase & DeliveryQuery,
  world: World,
): Promise<Deliveries> {
  return withInbox(request, world, 'read', async (store) => {
    const found = await store.listDeliveries({ ...request, limit: limit + 1 });
    const items = await named(found.slice(0, limit), store, world);
    const next = found.length > limit ? (items.at(-1)?.id ?? null) : null;
    return { items, next, counts: await store.countDeliveries() };
  });
}

/** As `listDeliveries`, of real calls. Creates no database: where there is none, none has come. */
export async function browseInbox(
  request: InDatabase & DeliveryQuery,
  world: World,
): Promise<Deliveries> {
  const place = locateDatabase(request, world, false);
  return isThere(place) ? listDeliveries(request, world) : { items: [], next: null, counts: [] };
}

/** One delivery with its headers and its body. @throws AppError `DELIVERY_UNKNOWN` (exit 2) */
export function findDelivery(
  { id, db }: InDatabase & { id: string },
  world: World,
): Promise<DeliveryDetail> {
  return withInbox({ db }, world, 'read', async (store) => {
    const found = await store.findDelivery(id);
    if (found === undefined) throw unknownDelivery(id, store);
    const { headers, body, bodyDropped, state } = found;
    const [view] = await named([found], store, world);
    // The inbox keeps few headers, with known secrets masked; what only looks like one is hidden as well.
    const shown = Object.entries(headers).map(([name, value]) => [
      name,
      SECRET.test(name) ? '(hidden)' : value,
    ]);
    return {
      ...(view as Delivery),
      headers: Object.fromEntries(shown) as typeof headers,
      body: bodyDropped ? null : Buffer.from(body).toString('utf8'),
      whyDropped: bodyDropped ? whyDropped(state) : null,
    };
  });
}

const SECRET = /auth|cookie|secret|token|api-?key|password|signature/i;

/**
 * Processes one delivery again, or all deliveries in one state, of one service if it is named.
 *
 * @returns how many were processed, and the single delivery as it is now
 * @throws AppError `FLAG_INVALID` where neither or both are given, `DELIVERY_UNKNOWN` (exit 2)
 */
export function replayDeliveries(
  request: ServiceRequest & { id: string | undefined; state: DeliveryState | undefined },
  world: World,
): Promise<Replayed> {
  return withInbox(request, world, 'write', async (store) => {
    const { id, state, service } = request;
    if ((id === undefined) === (state === undefined)) {
      throw invalidFlag(
        'inbox replay takes the id of one delivery, or --state for all of a state.',
      );
    }
    const ofService = service === undefined ? {} : { service };
    const which =
      id === undefined ? { state: state as DeliveryState, ...ofService } : { ids: [id] };
    const count = await store.replayDeliveries(which, world.clock.now());
    if (count === 0 && id !== undefined) throw await cannotReplay(id, store);
    const received = (await store.countDeliveries()).filter((each) => each.state === 'received');
    for (const name of new Set(received.map((each) => each.service)))
      if (name === (service ?? name)) await applyReceived(name, store, request, world);
    const one = id === undefined ? undefined : await store.findDelivery(id);
    return {
      count,
      delivery: one === undefined ? null : ((await named([one], store, world))[0] ?? null),
    };
  });
}

function named(kept: readonly KeptDelivery[], store: Store, { timezone }: World) {
  const [view, nameOf] = [deliveryViews(timezone), nameFinder(store)];
  return Promise.all(kept.map(async (one) => view(one, await nameOf(one.phone, one.campaign))));
}

/** A function that makes the view of a delivery. @param timezone IANA name */
export function deliveryViews(
  timezone: string,
): (kept: KeptDelivery, name: string | null) => Delivery {
  const time = timesIn(timezone);
  return ({ id, service, key, receivedAt, times, signed, type, state, reason, ...kept }, name) => {
    const { callId, attemptId, phone, campaign, bodyDropped } = kept;
    return {
      ...{ id, service, key, receivedAt: time(receivedAt), times, signed, type, state, reason },
      ...{ callId, attempt: attemptId, phone, name, campaign, bodyDropped },
    };
  };
}

function withInbox<T>(
  request: InDatabase,
  world: World,
  mode: 'read' | 'write',
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const place = locateDatabase(request, world, false);
  // Mode `write` would create a missing database, and a new one does not know who was called before.
  return withStore(place, isThere(place) ? mode : 'read', world, use);
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
function whyDropped(state: DeliveryState): string {
  return ['applied', 'hint', 'ignored'].includes(state)
    ? 'it did its part more than 30 days ago'
    : 'it came more than 90 days ago and led to nothing';
}

function unknownDelivery(id: string, store: Store): AppError {
  return usageError(
    'DELIVERY_UNKNOWN',
    `No delivery "${id}" is in ${store.name}.`,
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
