import { capHolds, type PastCalls } from '../calling/caps.ts';
import { dateOf, dayIn } from '../calling/local-days.ts';
import type { OffsetAt } from '../calling/offsets.ts';
import { retryHold, type PastAttempt } from '../calling/retry-hold.ts';
import { afterCall } from '../calling/retry.ts';
import type { CampaignSettings } from '../campaign.ts';
import type { LeadResult } from '../lead.ts';
import type { Spent } from '../nights/spent.ts';
import { admit } from '../pace.ts';
import { DAY_MS } from '../time-units.ts';
import { BudgetLeft } from './budget-left.ts';
import { scaledSlots, type Planner, type WaitingPerson } from './people.ts';
import type { PlaceHours } from './place-hours.ts';
import { Queue } from './queue.ts';
import type { SeenCall } from './seen-calls.ts';
import { WaitingRoom } from './waiting-room.ts';

/** What is played. Times are epoch ms. */
export interface Game {
  settings: CampaignSettings;
  people: readonly WaitingPerson[];
  /** For how many people each of them stands. */
  weight: number;
  startAt: number;
  /** Calls at once. */
  slots: number;
  planner: Planner;
  hoursOf: (zoneKey: string) => PlaceHours;
  offsetAt: OffsetAt;
  /** True: results that were derived may be retried. */
  retryDerived: boolean;
  /** What each night has used before. */
  spent: Iterable<readonly [night: string, spent: Spent]>;
  /** The first time of the schedule that is still going on at a moment or comes later; null: it is called at any time. */
  firingAt: ((now: number) => Firing) | null;
  /** No call begins from then on. */
  endsAt: number;
}

/** From when to when a schedule lets calls begin, epoch ms; both Infinity: never again. */
export interface Firing {
  at: number;
  endsAt: number;
}

/** Why a play ended. */
export type PlayEnd =
  /** Nobody waits any more. */
  | 'done'
  /** Those who wait are never called, as things stand. */
  | 'nobody_may'
  /** The campaign's budget is used up. */
  | 'budget'
  /** No call begins any more: `endsAt`, the schedule has no further time, or a year has passed. */
  | 'time';

/** Told of each call that begins; `place` is the key of the person's place. */
export interface Watch {
  onCall: (at: number, place: string, night: string, call: SeenCall) => void;
  /** Time has passed from `from` to `to`, at which nobody of `room` is called yet; at first both are the start. */
  onTime: (from: number, to: number, room: WaitingRoom) => void;
}

/** No campaign is followed for longer than a year. */
const LONGEST_MS = 366 * DAY_MS;
/** A budget is asked again so long after a call has ended. */
const ASK_AGAIN_MS = 1_000;

/** A call in progress, or one whose result is still to come. */
interface OpenCall {
  call: SeenCall;
  beganAt: number;
  endsAt: number;
  night: string;
  isLineUp: boolean;
}

/**
 * Calls everybody once through, from one event to the next: who is due in open hours gets a free slot, a call lasts as
 * long and ends as `draw` says, and what follows is decided by the functions of the claim.
 *
 * @returns when the last result was in, or when it was certain that nobody would be called any more, epoch ms
 */
export function play(
  game: Game,
  draw: (before: LeadResult | null) => SeenCall,
  { onCall, onTime }: Watch,
): { end: PlayEnd; at: number } {
  const { settings, people, weight, startAt, planner, offsetAt, firingAt } = game;
  const { retry, timezone } = settings;
  const { slots, slower } = scaledSlots(game.slots, weight);
  const pace = settings.pace && { ...settings.pace, count: settings.pace.count / weight };
  const budget = new BudgetLeft(settings, offsetAt, { spent: game.spent, weight });
  const room = new WaitingRoom(people, game.hoursOf);
  const past: (readonly PastAttempt[])[] = people.map((each) => each.past);
  const callbackAt = people.map((each) => each.callbackAt);
  const calls: (OpenCall | undefined)[] = people.map(() => undefined);
  const clocksAt = remembered(planner.clocksAt);
  const capsAt = remembered(planner.capsAt);
  let inProgress = 0;
  const events = new Queue();
  const lastAt = Math.min(game.endsAt, startAt + LONGEST_MS);
  const dayOf = (at: number) => dateOf(dayIn(timezone, at, offsetAt) ?? 0);
  let free = slots;
  let paceDueAt = 0;
  let firing = firingAt === null ? { at: startAt, endsAt: Infinity } : firingAt(startAt);
  let doneAt = startAt;

  for (let [before, now] = [startAt, startAt]; ;) {
    while (events.firstAt <= now) endOrSettle(events.take(), now);
    onTime(before, now, room);
    const nextClaim = claim(now);
    const next = Math.min(events.firstAt, nextClaim);
    if (next === Infinity || (inProgress === 0 && next >= lastAt)) {
      if (room.waiting === 0) return { end: 'done', at: doneAt };
      if (budget.limit?.until === 'change') return { end: 'budget', at: doneAt };
      const isTime = next !== Infinity || now >= lastAt || firing.at === Infinity;
      if (!isTime) return { end: 'nobody_may', at: doneAt };
      return { end: 'time', at: Math.max(doneAt, Math.min(next, lastAt)) };
    }
    [before, now] = [now, next];
  }

  /** Begins as many calls as may begin now. @returns when to ask again, whatever ends meanwhile; Infinity: never */
  function claim(now: number): number {
    if (now >= lastAt) return Infinity;
    if (firingAt !== null && now >= firing.endsAt) firing = firingAt(now);
    if (now < firing.at) return firing.at;
    for (;;) {
      if (free === 0) return Infinity;
      const dueAt = room.nextAt(now);
      if (dueAt > now) return dueAt;
      if (budget.moreAt(now) === 0) {
        const until = budget.limit?.until;
        if (until === 'calls_end') return Math.max(events.firstAt, now + ASK_AGAIN_MS);
        return until === 'night' ? budget.nextNightAt(now) : Infinity;
      }
      if (pace !== null) {
        const { admitted, askAgainAt } = admit(pace, paceDueAt, now, 1);
        if (admitted === 0) return Math.max(askAgainAt, now + 1);
      }
      const person = room.take();
      const hold = holdOf(person, now);
      if (hold === null) dial(person, now);
      else if (hold !== 'over') room.wait(person, hold);
    }
  }

  /** Until when a person is held back, epoch ms; null: they may be called; `over`: never again. */
  function holdOf(person: number, now: number): number | 'over' | null {
    const before = past[person] ?? [];
    if (before.length === 0) return null;
    const { zoneKey } = people[person] as WaitingPerson;
    const { zones, offsetAt: offsets } = clocksAt(zoneKey);
    const nextOpen = (from: number) => game.hoursOf(zoneKey).nextOpen(from);
    const asked = callbackAt[person] ?? null;
    const place = { zones, offsetAt: offsets, nextOpen, dayOf, callbackAt: asked };
    const hold = retryHold(retry, before, place, now);
    if (hold !== null) return hold.until ?? 'over';
    const caps = capsAt(zoneKey);
    return caps === null ? null : (capHolds(caps.limits, pastCalls(before), now)[0]?.until ?? null);
  }

  function dial(person: number, now: number): void {
    if (pace !== null) paceDueAt = admit(pace, paceDueAt, now, 1).nextDueAt;
    const before = past[person]?.at(-1)?.result ?? null;
    const call = draw(before);
    const night = budget.begun(now);
    const endsAt = now + call.slotMs * slower;
    calls[person] = { call, beganAt: now, endsAt, night, isLineUp: true };
    inProgress += 1;
    events.add(endsAt, person);
    free -= 1;
    onCall(now, (people[person] as WaitingPerson).zoneKey, night, call);
  }

  /** The line goes down, which frees the slot; later the result is in, and what becomes of the person. */
  function endOrSettle(person: number, now: number): void {
    const open = calls[person] as OpenCall;
    const { call, beganAt, endsAt, night } = open;
    if (open.isLineUp) {
      free += 1;
      open.isLineUp = false;
      if (call.analysedMs > 0) {
        events.add(now + call.analysedMs, person);
        return;
      }
    }
    calls[person] = undefined;
    inProgress -= 1;
    budget.settled(night, call);
    doneAt = now;
    const { result, source, callbackMs } = call;
    const before = past[person] ?? [];
    const all = [...before, { at: beganAt, result, endedAt: endsAt }];
    past[person] = all;
    const wished = callbackMs === null ? null : endsAt + callbackMs;
    const next = afterCall(retry, {
      result,
      source,
      retryDerived: game.retryDerived,
      rung: all.length,
      unanswered: 0,
      furtherNumbers: 0,
      beganAt,
      endedAt: endsAt,
      callbackAt: wished,
      dayOf,
    });
    callbackAt[person] = next.kind === 'callback' ? wished : null;
    if (next.kind !== 'done') room.wait(person, Math.max(next.notBefore, now));
  }
}

/** Asks once for each place. */
function remembered<T>(ask: (zoneKey: string) => T): (zoneKey: string) => T {
  const known = new Map<string, { is: T }>();
  return (zoneKey) => {
    const found = known.get(zoneKey) ?? { is: ask(zoneKey) };
    known.set(zoneKey, found);
    return found.is;
  };
}

/** Calls of this campaign alone: what others have called is not known to a forecast. */
function pastCalls(past: readonly PastAttempt[]): PastCalls {
  const lastEnd = (result: LeadResult) =>
    past.reduce<number | null>(
      (last, each) =>
        each.result === result ? Math.max(last ?? 0, each.endedAt ?? each.at) : last,
      null,
    );
  return {
    beganAt: past.map(({ at }) => at).toSorted((a, b) => b - a),
    answeredUntil: lastEnd('answered'),
    // What people will say is not known.
    refusedUntil: null,
    openUntil: null,
  };
}
