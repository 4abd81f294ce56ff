import { capHolds, type PastCalls } from '../calling/caps.ts';
import { dateOf, dayIn } from '../calling/local-days.ts';
import { countedOf, retryHold, type PastAttempt } from '../calling/retry-hold.ts';
import { afterCall } from '../calling/retry.ts';
import type { LeadResult } from '../lead.ts';
import type { Night } from '../nights/night.ts';
import { admit, DAY_MS } from '../time-units.ts';
import {
  BudgetLeft,
  type BudgetGame,
  type Place,
  type SeenCall,
  type WaitingPerson,
} from './game.ts';

export interface Game extends BudgetGame {
  /** In the order in which they are due. */
  people: readonly WaitingPerson[];
  startAt: number;
  /** Calls at once. */
  slots: number;
  placeOf: (zoneKey: string) => Place;
  /** True: results that were derived may be retried. */
  retryDerived: boolean;
  /** The first time of the schedule that is still going on at a moment or comes later. */
  firingAt: (now: number) => Firing;
  endsAt: number;
}

/** From when to when a schedule lets calls begin, epoch ms; both Infinity: never again. */
export interface Firing {
  at: number;
  endsAt: number;
}

export type PlayEnd =
  /** Nobody waits any more. */
  | 'done'
  /** The people who wait can never be called, as things are. */
  | 'nobody_may'
  /** The campaign's budget is used up. */
  | 'budget'
  /** No call begins any more: `endsAt`, the schedule has no further time, or a year has passed. */
  | 'time';

/** No campaign is followed for longer than a year. */
const LONGEST_MS = 366 * DAY_MS;

/**
 * One person in one play: due to be called or, with a call, due when its line goes down or its result is in. Times are
 * epoch ms.
 */
interface Player {
  number: number;
  dueAt: number;
  at: Waiting;
  past: readonly PastAttempt[];
  callbackAt: number | null;
  call: { seen: SeenCall; beganAt: number; endsAt: number; night: Night; isLineUp: boolean } | null;
}

interface Waiting {
  place: Place;
  queue: Queue<Player>;
}

/**
 * Plays one campaign from event to event: people who are due in open hours get a free slot, a call lasts and ends as
 * `draw` says, and the functions of the claim decide what follows.
 * @param draw a call to a person whose call before ended so; null: it is the first one
 * @returns when the last result was in, or when it was certain that nobody would be called any more, epoch ms
 */
export function play(
  game: Game,
  draw: (before: LeadResult | null) => SeenCall,
  onCall: (at: number, night: Night, call: SeenCall) => void,
): { end: PlayEnd; at: number } {
  const { settings, weight, startAt, offsetAt, firingAt } = game;
  const { retry, timezone } = settings;
  const pace = settings.pace && { ...settings.pace, count: settings.pace.count / weight };
  const budget = new BudgetLeft(game);
  const dayOf = (at: number) => dateOf(dayIn(timezone, at, offsetAt) ?? 0);
  const lastAt = Math.min(game.endsAt, startAt + LONGEST_MS);
  // As many people are called in the same time as without weight, however many slots there are.
  let free = Math.max(1, Math.ceil(game.slots / weight));
  const slower = (free * weight) / game.slots;
  const calls = new Queue<Player>();
  const byPlace = new Map<string, Waiting>();
  game.people.forEach(({ zoneKey, notBefore, callbackAt, past }, number) => {
    const at = byPlace.get(zoneKey) ?? { place: game.placeOf(zoneKey), queue: new Queue() };
    byPlace.set(zoneKey, at);
    at.queue.add({ number, dueAt: notBefore, at, past, callbackAt, call: null });
  });
  const waiting = [...byPlace.values()];
  let next = waiting[0] as Waiting;
  let paceDueAt = 0;
  let firing = firingAt(startAt);
  let doneAt = startAt;

  for (let now = startAt; ;) {
    while (calls.firstAt <= now) endOrSettle(calls.take() as Player, now);
    const goesOn = Math.min(claim(now), calls.firstAt);
    if (goesOn === Infinity || (calls.first === undefined && goesOn >= lastAt)) {
      if (waiting.every(({ queue }) => queue.first === undefined))
        return { end: 'done', at: doneAt };
      if (budget.isUsedUp) return { end: 'budget', at: doneAt };
      const isTime = goesOn !== Infinity || now >= lastAt || firing.at === Infinity;
      if (!isTime) return { end: 'nobody_may', at: doneAt };
      return { end: 'time', at: Math.max(doneAt, Math.min(goesOn, lastAt)) };
    }
    now = goesOn;
  }

  /** Begins as many calls as may begin now. @returns when to ask again, whatever ends meanwhile; Infinity: never */
  function claim(now: number): number {
    if (now >= lastAt) return Infinity;
    if (now >= firing.endsAt) firing = firingAt(now);
    if (now < firing.at) return firing.at;
    while (free > 0) {
      const start = pace === null ? null : admit(pace, paceDueAt, now, 1);
      if (start?.admitted === 0) return Math.max(start.askAgainAt, now + 1);
      const dueAt = nextDue(now);
      if (dueAt > now) return dueAt;
      const held = budget.heldUntil(now, calls.firstAt);
      if (held !== null) return held;
      const person = next.queue.take() as Player;
      const hold = heldUntil(person, now);
      if (hold === null) {
        paceDueAt = start?.nextDueAt ?? 0;
        dial(person, now);
      } else if (hold < Infinity) wait(person, hold);
    }
    return Infinity;
  }

  /** Finds where somebody is called next: by their own time, then by their number. @returns when, in open hours */
  function nextDue(now: number): number {
    let at = Infinity;
    for (const each of waiting) {
      const { first } = each.queue;
      if (first === undefined || first.dueAt > at) continue;
      const opens = each.place.nextOpen(Math.max(first.dueAt, now));
      if (opens < at || (opens === now && isBefore(first, next.queue.first as Player)))
        [at, next] = [opens, each];
    }
    return at;
  }

  /** Until when a person is held, epoch ms; null: they may be called, Infinity: never again. */
  function heldUntil({ past, callbackAt, at }: Player, now: number): number | null {
    if (past.length === 0) return null;
    const { zones, offsetAt: offsets, nextOpen, caps } = at.place;
    const hold = retryHold(
      retry,
      past,
      { zones, offsetAt: offsets, nextOpen, dayOf, callbackAt },
      now,
    );
    if (hold !== null) return hold.until ?? Infinity;
    return caps.length === 0 ? null : (capHolds(caps, pastCalls(past), now)[0]?.until ?? null);
  }

  function wait(person: Player, until: number): void {
    person.dueAt = until;
    person.at.queue.add(person);
  }

  function dial(person: Player, now: number): void {
    const seen = draw(person.past.at(-1)?.result ?? null);
    const night = budget.begun(now);
    const endsAt = now + seen.slotMs * slower;
    person.call = { seen, beganAt: now, endsAt, night, isLineUp: true };
    person.dueAt = endsAt;
    calls.add(person);
    free -= 1;
    onCall(now, night, seen);
  }

  /** The line goes down, which frees the slot; later the result is in and decides about the person. */
  function endOrSettle(person: Player, now: number): void {
    const call = person.call as NonNullable<Player['call']>;
    const { seen, beganAt, endsAt, night } = call;
    if (call.isLineUp) {
      free += 1;
      call.isLineUp = false;
      person.dueAt = now + seen.analysedMs;
      if (seen.analysedMs > 0) {
        calls.add(person);
        return;
      }
    }
    person.call = null;
    budget.settled(night, seen);
    doneAt = now;
    const { result, source, callbackMs } = seen;
    person.past = [...person.past, { at: beganAt, result, endedAt: endsAt }];
    const callbackAt = callbackMs === null ? null : endsAt + callbackMs;
    const next = afterCall(retry, {
      result,
      source,
      retryDerived: game.retryDerived,
      rung: countedOf(person.past).length,
      unanswered: 0,
      furtherNumbers: 0,
      beganAt,
      endedAt: endsAt,
      callbackAt,
      dayOf,
    });
    person.callbackAt = next.kind === 'callback' ? callbackAt : null;
    if (next.kind !== 'done') wait(person, Math.max(next.notBefore, now));
  }
}

function isBefore(one: Player, other: Player): boolean {
  return one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.number < other.number);
}

/** Calls of this campaign alone: what others have called, and what people will say, is not known to a forecast. */
function pastCalls(past: readonly PastAttempt[]): PastCalls {
  const answered = past.filter(({ result }) => result === 'answered');
  return {
    beganAt: past.map(({ at }) => at).toSorted((a, b) => b - a),
    answeredUntil:
      answered.length === 0 ? null : Math.max(...answered.map(({ at, endedAt }) => endedAt ?? at)),
    ...{ refusedUntil: null, openUntil: null },
  };
}

/** Items in the order in which they are due; of items due together, the one that came first. */
export class Queue<T extends { dueAt: number }> {
  readonly #all: T[] = [];
  #taken = 0;

  get first(): T | undefined {
    return this.#all[this.#taken];
  }

  /** When the first one is due, epoch ms; Infinity: there is none. */
  get firstAt(): number {
    return this.first?.dueAt ?? Infinity;
  }

  /** Nearly all items are added at the end, so a heap would not be faster. */
  add(thing: T): void {
    let [low, high] = [this.#taken, this.#all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#all[middle] as T).dueAt <= thing.dueAt) low = middle + 1;
      else high = middle;
    }
    this.#all.splice(low, 0, thing);
  }

  take(): T | undefined {
    return this.#all[this.#taken++];
  }
}
