import { PollScheduler } from '../../domain/polling/poll-scheduler.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { AppError, messageOf } from '../../runtime/errors.ts';
import { Wakeup } from '../../runtime/lanes.ts';
import type {
  DeliveryEvent,
  DeliveryProtocol,
  DeliveryReading,
  VoiceService,
} from '../../service/port.ts';
import type { DeliveryDecision, DeliveryFacts, DueDelivery, Store } from '../../store/port.ts';
import { applyDelivery, type ApplyContext } from './inbox-apply.ts';

/** How many deliveries are matched together, with one query to the store. */
const BATCH = 256;
/** Other processes receive deliveries and place calls, too: the store is asked at least this often. */
const WAKE_EVERY_MS = 1_000;
/** The pause after the store failed: a full disk or a long lock lasts longer than a moment. */
const AFTER_FAILURE_MS = 5_000;
/** Calls of campaigns that nobody runs in this process are not polled, but `settle` needs a scheduler. */
const NO_POLLING = { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 };

interface InboxOptions extends Omit<ApplyContext, 'service' | 'scheduler' | 'now'> {
  service: Pick<VoiceService, 'name' | 'readAnalytics'>;
  clock: Clock;
  /** What the ids of this process's deliveries begin with: it takes these at once. Default: all. */
  receiver?: string;
}

export type Inbox = ReturnType<typeof createInbox>;

/** Reads the kept deliveries, matches them with attempts, and hands them to `settle`. */
export function createInbox(options: InboxOptions) {
  const { store, clock, notify } = options;
  const service = options.service.name;
  const wakeup = new Wakeup(clock);
  const scheduler = new PollScheduler(NO_POLLING);
  const prune = createPruning(store, service, clock);
  let wokeOthersAt = 0;
  /** All at first: the process that received them may be gone, and this one may be in its place. */
  let receiver = '';

  const inbox = {
    wake: (): void => {
      wakeup.wake();
    },

    /** Applies deliveries until the signal aborts; a batch that has begun is finished, one that failed is tried again. */
    run: async (signal: AbortSignal): Promise<void> => {
      let isNew = true;
      while (!signal.aborted) {
        let pauseMs = WAKE_EVERY_MS;
        try {
          if (isNew) await readAgain(options);
          isNew = false;
          if ((await inbox.runOnce()) === BATCH) continue;
          await prune();
          receiver = options.receiver ?? '';
          const until = clock.now() + WAKE_EVERY_MS;
          const next = await store.nextDeliveryAt(service, receiver, until);
          if (next !== null) pauseMs = Math.min(pauseMs, Math.max(0, next - clock.now()));
        } catch (error) {
          notify({ event: 'webhook.unkept', service, detail: messageOf(error) });
          await clock.sleep(AFTER_FAILURE_MS, signal);
        }
        await wakeup.wait(pauseMs, signal);
      }
    },

    /** @returns how many due deliveries it applied; 256: there may be more */
    runOnce: async (): Promise<number> => {
      const now = clock.now();
      if (Math.abs(now - wokeOthersAt) >= WAKE_EVERY_MS) {
        wokeOthersAt = now;
        await store.wakeDeliveries(service, now);
      }
      const due = await store.dueDeliveries({ service, now, limit: BATCH, receiver });
      if (due.length === 0) return 0;
      await keep(await decide(due, service, { ...options, scheduler, now }), store);
      return due.length;
    },
  };
  return inbox;
}

/** Re-queues deliveries that the profile did not understand: it may be corrected now. */
async function readAgain({ store, service: { name }, clock }: InboxOptions): Promise<void> {
  for (const state of ['unknown', 'unreadable'] as const)
    await store.replayDeliveries({ state, service: name }, clock.now());
}

async function decide(
  due: readonly DueDelivery[],
  service: string,
  context: ApplyContext,
): Promise<DeliveryDecision[]> {
  const { store, protocol, now, notify } = context;
  const decisions: DeliveryDecision[] = [];
  const events: { delivery: DueDelivery; event: DeliveryEvent }[] = [];
  for (const delivery of due) {
    const event = readOf(delivery, protocol);
    if (event.kind === 'event' && event.unknown !== undefined && event.type !== TEST_TYPE)
      notify({ event: 'word.unknown', ...event.unknown });
    if (
      event.kind === 'event' &&
      event.meaning !== 'ignored' &&
      event.meaning !== 'unknown' &&
      event.type !== TEST_TYPE
    )
      events.push({ delivery, event });
    else decisions.push(nothing(delivery, event, now));
  }
  if (events.length === 0) return decisions;
  const facts = events.map(({ event }): DeliveryFacts => event);
  const matches = await store.matchDeliveries(service, facts);
  const applied = await Promise.all(
    events.map(({ delivery, event }, i) => {
      const match = matches[i];
      if (match === undefined) throw new Error('every delivery has its answer');
      return applyDelivery(delivery, event, match, context).catch((error: unknown) =>
        unreadable(delivery, error, now),
      );
    }),
  );
  return [...decisions, ...applied];
}

/** Writes all decisions in one transaction; if that fails, each alone, so that a bad delivery stops no others. */
async function keep(decisions: readonly DeliveryDecision[], store: Store): Promise<void> {
  try {
    await store.decideDeliveries(decisions);
    return;
  } catch (error) {
    if (isOfTheStore(error)) throw error;
  }
  for (const decision of decisions) {
    try {
      await store.decideDeliveries([decision]);
    } catch (error) {
      await store.decideDeliveries([unreadable(decision, error, decision.at)]);
    }
  }
}

/** True for errors of the disk or a lock: these concern all deliveries, which are tried again later. */
function isOfTheStore(error: unknown): boolean {
  return error instanceof AppError;
}

/**
 * The decision on a delivery whose processing failed: it waits for a person, and other deliveries are processed.
 * @throws errors that concern all deliveries
 */
function unreadable({ id }: Pick<DueDelivery, 'id'>, error: unknown, at: number): DeliveryDecision {
  if (isOfTheStore(error)) throw error;
  const reason = `it could not be dealt with: ${messageOf(error)}`;
  return { ...NO_CALL, id, at, state: 'unreadable', reason };
}

const NO_CALL = {
  type: null,
  callId: null,
  attemptKey: null,
  attemptId: null,
  tryAt: null,
  lead: null,
};

/** `read` should never throw; if it does, only this delivery is given up. */
function readOf({ body, headers }: DueDelivery, protocol: DeliveryProtocol): DeliveryReading {
  try {
    return protocol.read(body, headers);
  } catch (error) {
    return { kind: 'unreadable', why: `it could not be read: ${messageOf(error)}` };
  }
}

/** The type of deliveries that `webhook test` sends; see `createTestDelivery`. */
const TEST_TYPE = 'callsheet.test';

function nothing(
  { id }: DueDelivery,
  event: ReturnType<DeliveryProtocol['read']>,
  at: number,
): DeliveryDecision {
  if (event.kind === 'unreadable') {
    return { ...NO_CALL, id, at, state: 'unreadable', reason: event.why };
  }
  const { type, callId, attemptKey } = event;
  const common = { ...NO_CALL, id, at, type, callId, attemptKey };
  if (type === TEST_TYPE) {
    return { ...common, state: 'ignored', reason: 'it was only a test delivery' };
  }
  if (event.meaning === 'ignored') {
    return { ...common, state: 'ignored', reason: 'the profile says that this type means nothing' };
  }
  const named = type === null ? 'it has no type' : `"${type}" is no type that the profile names`;
  return { ...common, state: 'unknown', reason: named };
}

/** Bodies of applied deliveries are kept this long: services stop repeating them well before ... */
const KEEP_BODIES_MS = 30 * DAY_MS;
/** ... and that of an unmatched or unreadable one this long: a person may correct the profile and replay it. */
const KEEP_USELESS_MS = 90 * DAY_MS;
/** Bodies are pruned once a day, by the monotonic clock. */
const EVERY_MS = DAY_MS;

/** The returned function drops a few hundred old bodies per call, when pruning is due. */
export function createPruning(store: Pick<Store, 'dropBodies'>, service: string, clock: Clock) {
  let beganAt = -Infinity;
  /** Where the next call continues, epoch ms; null: the pruning is complete. */
  let from: number | null = null;
  return async () => {
    const monotonic = clock.monotonic();
    if (from === null && monotonic - beganAt < EVERY_MS) return;
    if (from === null) beganAt = monotonic;
    const now = clock.now();
    from = await store.dropBodies({
      service,
      from: from ?? 0,
      before: now - KEEP_BODIES_MS,
      uselessBefore: now - KEEP_USELESS_MS,
    });
  };
}
