import {
  DurationHistogram,
  finer,
  nextPollIn,
  POLL_WORTH_FLOORS,
  pollSchedule,
  type EndSeen,
  type Polling,
  type PollSchedule,
  worthFor,
} from './poll-schedule.ts';

/** The most open calls that are remembered: as many as a campaign can have at once. */
const REMEMBERED_CALLS = 10_000;

interface PolledCall {
  attemptId: string;
  /** How often the call was polled before, by any process. */
  polls: number;
  /** When it was placed, epoch ms; left out: 0. */
  placedAt?: number;
}

/** When a call of another run ended. */
export interface RecentEnd {
  call: EndSeen;
  /** From the line being down to the analytics; null when both were found at once. */
  analytics: EndSeen | null;
}

/**
 * Plans when calls are polled: from the times at which earlier calls ended and, once the line is known to be down, from
 * how long their analytics took. There is one scheduler per agent, as the calls of another agent last differently.
 */
export class PollScheduler {
  readonly #polling: Polling;
  /** From the intent until the line is down, or until analytics are there without such news before. */
  readonly #call: PollPhase;
  /** From the line being down to the analytics. */
  readonly #analytics: PollPhase;
  /** Open calls with news from a poll or a delivery, the oldest news first. */
  readonly #open = new Map<string, LastSeen>();

  readonly #onDeliveriesStopped: () => void;
  #isSilent = false;
  /** When the last delivery came, epoch ms, and how often polls have found something first since then. */
  #deliveredAt = -Infinity;
  #foundSince = 0;

  /** @param onDeliveriesStopped called each time webhooks came and then stopped coming, for some seconds */
  constructor(polling: Polling, onDeliveriesStopped: () => void = () => undefined) {
    this.#polling = polling;
    this.#onDeliveriesStopped = onDeliveriesStopped;
    this.#call = new PollPhase(isOverBy, polling);
    // The assumed share of ended calls whose analytics are there this many ms after the end.
    this.#analytics = new PollPhase((ageMs) => logLogistic(ageMs, 6_000, 1.2), polling);
  }

  /**
   * Whether calls that end are missed: people wait, and no slot is free.
   * @param slots that are in use then; null: slots are free anyway
   * @param perSecond requests that the service bears; Infinity: not known
   */
  want(slots: number | null, perSecond: number): void {
    this.#call.want(slots, perSecond);
  }

  /** How many calls hold a slot that is waited for, while no delivery tells of their ends. */
  get untoldSlots(): number {
    return this.#call.untoldSlots;
  }

  get floorMs(): number {
    return this.#polling.floorMs;
  }

  /** How many whole ms until the next poll of a call of this age. */
  nextIn(attemptId: string, ageMs: number): number {
    const downMs = this.#open.get(attemptId)?.downMs ?? null;
    return downMs === null ? this.#call.nextIn(ageMs, 0) : this.#analytics.nextIn(ageMs, downMs);
  }

  /** Records that the call was not over at this age. `said`: what an answer said that may be of a call in progress. */
  pending({ attemptId }: PolledCall, ageMs: number, said?: string): void {
    const downMs = said === undefined ? null : (this.#open.get(attemptId)?.downMs ?? null);
    this.#keep(attemptId, { ageMs, downMs, said });
  }

  /** True when the poll before said the same. */
  hasSaid(attemptId: string, said: string): boolean {
    return this.#open.get(attemptId)?.said === said;
  }

  /** Records that the line was down at this age, with analytics still to come. */
  lineDown(call: PolledCall, ageMs: number, by: ToldBy): void {
    const seen = this.#open.get(call.attemptId);
    const downMs = seen?.downMs ?? ageMs;
    const at = (call.placedAt ?? 0) + ageMs;
    if (seen?.downMs == null) this.#learn(this.#call, endOf(call, seen, ageMs, by), by, at);
    this.#keep(call.attemptId, { ageMs, downMs });
  }

  /** Records that the analytics were there at this age; the call lasted at least `talkedMs` (null: not known). */
  settled(call: PolledCall, ageMs: number, by: ToldBy, talkedMs: number | null = null): void {
    const seen = this.#open.get(call.attemptId);
    this.#open.delete(call.attemptId);
    const end = endOf(call, seen, ageMs, by);
    const at = (call.placedAt ?? 0) + ageMs;
    if (seen?.downMs == null) this.#learn(this.#call, talkedAtLeast(talkedMs, end), by, at);
    else this.#learn(this.#analytics, end === null ? null : since(seen.downMs, end), by, at);
  }

  /** A delivery of any call has come, epoch ms. */
  delivered(at: number): void {
    this.#isSilent = false;
    this.#deliveredAt = at;
    this.#foundSince = 0;
  }

  /** Learns from calls of other runs. */
  remember(ends: readonly RecentEnd[]): void {
    this.#call.remember(ends.map(({ call }) => call));
    this.#analytics.remember(ends.flatMap(({ analytics }) => analytics ?? []));
  }

  #learn(phase: PollPhase, end: EndSeen | null, by: ToldBy, at: number): void {
    const isSilent = phase.learn(end, by);
    if (by === 'delivery') this.delivered(at);
    else this.#foundSince += 1;
    // Both phases may find it out, and until one comes again it is told once.
    if (!isSilent || this.#isSilent || this.#foundSince < SILENT_AFTER) return;
    if (at - this.#deliveredAt < QUIET_MS) return;
    this.#isSilent = true;
    this.#onDeliveriesStopped();
  }

  #keep(attemptId: string, seen: LastSeen): void {
    this.#open.delete(attemptId);
    this.#open.set(attemptId, seen);
    if (this.#open.size <= REMEMBERED_CALLS) return;
    // A campaign cannot have more open calls, so another process must have settled the oldest one.
    const [oldest = ''] = this.#open.keys();
    this.#open.delete(oldest);
  }
}

/** Ages in ms. */
interface LastSeen {
  ageMs: number;
  /** When the line was first known to be down; null: not yet. */
  downMs: number | null;
  said?: string | undefined;
}

/** @returns null if another process made the last poll, so that the last time in progress is not known here */
function endOf(
  { polls }: PolledCall,
  seen: LastSeen | undefined,
  byMs: number,
  by: ToldBy,
): EndSeen | null {
  if (by === 'delivery') return { afterMs: byMs, byMs };
  if (seen === undefined && polls > 0) return null;
  return { afterMs: Math.min(seen?.ageMs ?? 0, byMs), byMs };
}

/** The call did not end before it had lasted `talkedMs`; ignored where this contradicts the time of its end. */
function talkedAtLeast(talkedMs: number | null, end: EndSeen | null): EndSeen | null {
  if (end === null || talkedMs === null || talkedMs >= end.byMs) return end;
  return { ...end, afterMs: Math.max(end.afterMs, talkedMs) };
}

function since(startMs: number, { afterMs, byMs }: EndSeen): EndSeen {
  return { afterMs: Math.max(0, afterMs - startMs), byMs: Math.max(0, byMs - startMs) };
}

/**
 * The assumed share of calls that are over at this age (ms), used before any call of the agent is known: some ring out
 * after half a minute, some are conversations, and some end at any time.
 */
function isOverBy(ageMs: number): number {
  const rungOut = logLogistic(ageMs, 30_000, 15);
  const talked = logLogistic(ageMs, 90_000, 2.5);
  const atAnyTime = Math.log(ageMs / 1_000) / Math.log(900);
  return 0.4 * rungOut + 0.4 * talked + 0.2 * Math.min(Math.max(atAnyTime, 0), 1);
}

/** The log-logistic distribution function: 0.5 at the median; a larger steepness means a smaller spread. */
function logLogistic(ms: number, medianMs: number, steepness: number): number {
  return 1 / (1 + (ms / medianMs) ** -steepness);
}

/**
 * A floor below this means a rehearsal, with short calls and results wanted soon: the assumed durations and the cost of
 * a poll are scaled down with the floor.
 */
const ORDINARY_FLOOR_MS = 1_000;
/** The schedule is computed again after this many new calls, but not before this share of the known calls is new. */
const PLAN_AGAIN_AFTER = 5;
const PLAN_AGAIN_SHARE = 0.2;
/** ... or when the requests that may be spent differ by this share. */
const PLAN_AGAIN_RATE = 0.1;
/** Each bin of the histogram is cut into so many in which a poll may come: 1.1 % of the age. */
const FINER = 4;
/** Requests a second that a service is taken to bear: so many, and one more for so many calls in progress. */
const [FIRST_REQUESTS, CALLS_TO_A_REQUEST] = [2, 5];
/** Of those, so many are planned, as some calls are polled more often than was foreseen ... */
const PLANNED = 0.97;
/** ... but more than a service bears, as the rate limiter lets no more out, and a turn that is not taken is lost. */
const PLANNED_AT_A_LIMIT = 1.2;

/** Requests a second for each of the calls that hold so many slots. */
function requestsFor(slots: number, perSecond: number): { spent: number; borne: number } {
  return {
    spent: PLANNED * (FIRST_REQUESTS / slots + 1 / CALLS_TO_A_REQUEST),
    borne: (PLANNED_AT_A_LIMIT * perSecond) / slots,
  };
}

/** Deliveries that tell of fewer ends than the rest do not replace a list of all calls. */
const MANY_UNTOLD = 0.5;

/** One poll phase, up to the end of a call or up to its analytics: what was learned, and the schedule based on this. */
class PollPhase {
  readonly #assumed: (ageMs: number) => number;
  readonly #polling: Polling;
  readonly #webhooks = new WebhookReliability();
  // Both are computed on first use: a run without open calls never needs them.
  #ends: DurationHistogram | undefined;
  #schedule: PollSchedule | undefined;
  #unplanned = 0;
  /** Slots that are waited for, and requests a second for each: as many as are spent, and as the service bears. */
  #wanted: { slots: number; spent: number; borne: number } | null = null;
  /** As it was when the schedule was computed. */
  #plannedFor = this.#wanted;

  constructor(assumed: (ageMs: number) => number, polling: Polling) {
    this.#assumed = assumed;
    this.#polling = polling;
  }

  get #times(): DurationHistogram {
    const scale = Math.min(1, this.#polling.floorMs / ORDINARY_FLOOR_MS);
    return (this.#ends ??= new DurationHistogram(this.#assumed, scale));
  }

  /** See `PollScheduler.want`. */
  want(slots: number | null, perSecond: number): void {
    this.#wanted = slots === null ? null : { slots, ...requestsFor(slots, perSecond) };
    const changed = (['spent', 'borne'] as const).some((which) => {
      const [was, is] = [this.#plannedFor?.[which], this.#wanted?.[which]];
      return was !== is && !(Math.abs((is ?? Infinity) / (was ?? Infinity) - 1) < PLAN_AGAIN_RATE);
    });
    if (changed) this.#schedule = undefined;
  }

  /** See `PollScheduler.untoldSlots`. */
  get untoldSlots(): number {
    return this.#webhooks.untold > MANY_UNTOLD ? (this.#wanted?.slots ?? 0) : 0;
  }

  /** @param startMs the call's age when this phase began */
  nextIn(ageMs: number, startMs: number): number {
    this.#schedule ??= this.#plan();
    return nextPollIn(ageMs, {
      schedule: this.#schedule,
      startMs,
      seen: this.#times.seen,
      polling: this.#polling,
    });
  }

  /** @returns true when this call shows that deliveries have stopped */
  learn(end: EndSeen | null, by: ToldBy): boolean {
    const isSilent = this.#webhooks.learn(by);
    if (end !== null) this.#times.learn(end);
    this.#unplanned += 1;
    const enough = Math.max(PLAN_AGAIN_AFTER, this.#times.seen * PLAN_AGAIN_SHARE);
    if (isSilent || this.#unplanned >= enough) this.#schedule = undefined;
    return this.#webhooks.isSilent;
  }

  remember(ends: readonly EndSeen[]): void {
    for (const end of ends) this.#times.learn(end);
    this.#schedule = undefined;
  }

  #plan(): PollSchedule {
    this.#unplanned = 0;
    this.#plannedFor = this.#wanted;
    this.#times.fade();
    const { floorMs } = this.#polling;
    const usual = POLL_WORTH_FLOORS * floorMs * Math.min(1, floorMs / ORDINARY_FLOOR_MS);
    const { untold } = this.#webhooks;
    const ends = finer(this.#times, FINER);
    if (this.#wanted === null) return pollSchedule(ends, { worthMs: usual, untold });
    const { spent, borne } = this.#wanted;
    const least = borne === Infinity ? 0 : worthFor(ends, borne);
    const worthMs = Math.max(least, worthFor(ends, spent * untold, usual));
    return pollSchedule(ends, { worthMs, untold });
  }
}

/** About how many calls count; older calls fade. */
const REMEMBERED = 200;
/** After this many calls in a row whose end a poll found first, deliveries are taken to have stopped. */
const SILENT_AFTER = 5;
/** ... which is told where none has come for so long: they may only be later than the polls. */
const QUIET_MS = 10_000;

/** The first source of the news that a call was over. */
export type ToldBy = 'poll' | 'delivery';

/**
 * How reliable deliveries (webhooks) are, by the share of calls whose delivery came before a poll found their end.
 * Before the first delivery all calls count as untold, as where no webhooks are received.
 */
export class WebhookReliability {
  #delivered = 0;
  #found = 0;
  #foundInARow = 0;

  /** The share of calls whose end no delivery reports in time, above 0; 1: deliveries report none. */
  get untold(): number {
    if (this.#delivered === 0 || this.isSilent) return 1;
    return (this.#found + 1) / (this.#found + this.#delivered + 2);
  }

  /** They came, and have stopped. */
  get isSilent(): boolean {
    return this.#delivered > 0 && this.#foundInARow >= SILENT_AFTER;
  }

  /** @returns true when this call shows that deliveries have stopped */
  learn(by: ToldBy): boolean {
    const sum = this.#delivered + this.#found;
    const factor = sum < REMEMBERED ? 1 : (REMEMBERED - 1) / sum;
    this.#delivered = this.#delivered * factor + (by === 'delivery' ? 1 : 0);
    this.#found = this.#found * factor + (by === 'poll' ? 1 : 0);
    this.#foundInARow = by === 'poll' ? this.#foundInARow + 1 : 0;
    return this.#foundInARow === SILENT_AFTER && this.#delivered > 0;
  }
}
