import type { WaitingPerson } from './people.ts';
import type { PlaceHours } from './place-hours.ts';
import { Queue } from './queue.ts';

/** People who wait at one place: first those who came together, in their order, and those who wait again. */
interface Place {
  zoneKey: string;
  hours: PlaceHours;
  /** Numbers of people, by time and order. */
  people: number[];
  /** How many of `people` are gone. */
  gone: number;
  again: Queue;
  /** Who comes first, and when they are due; Infinity: nobody waits here. */
  firstAt: number;
  first: number;
  /** When its hours close or open next, and whether they are open until then. */
  changesAt: number;
  isOpen: boolean;
}

const NOWHERE = { firstAt: Infinity, first: Infinity } as Place;

/** The people who wait, by place; they are taken in the order in which a claim takes them: by time, then by number. */
export class WaitingRoom {
  readonly #people: readonly WaitingPerson[];
  readonly #places: Place[] = [];
  readonly #placeOf: Place[] = [];
  #open: Place[] = [];
  #found = NOWHERE;
  #waiting = 0;
  /** Nobody is due before this, as long as nobody comes in. */
  #nextAt = 0;
  #changesAt = 0;

  constructor(people: readonly WaitingPerson[], hoursOf: (zoneKey: string) => PlaceHours) {
    this.#people = people;
    const places = new Map<string, Place>();
    people.forEach(({ zoneKey }, person) => {
      const place = places.get(zoneKey) ?? {
        ...{ zoneKey, hours: hoursOf(zoneKey), people: [], gone: 0, again: new Queue() },
        ...{ firstAt: Infinity, first: Infinity, changesAt: 0, isOpen: false },
      };
      places.set(zoneKey, place);
      place.people.push(person);
      this.#placeOf[person] = place;
    });
    for (const place of places.values()) {
      place.people.sort((a, b) => this.#dueAt(a) - this.#dueAt(b) || a - b);
      this.#findFirst(place);
      this.#places.push(place);
    }
    this.#waiting = people.length;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** When somebody may be called, by their time and the hours: `now`, or later; Infinity: never. */
  nextAt(now: number): number {
    if (this.#nextAt > now) return this.#nextAt;
    if (now >= this.#changesAt) this.#lookAt(now);
    this.#found = this.#firstOpen();
    if (this.#found.firstAt <= now) return now;
    let next = Infinity;
    for (const { firstAt, hours } of this.#places) {
      if (firstAt < next) next = Math.min(next, hours.nextOpen(Math.max(firstAt, now)));
    }
    return (this.#nextAt = next);
  }

  /** Takes the first of those who are due in open hours, whom `nextAt` has just found. */
  take(): number {
    const place = this.#found;
    const { first, again, people, gone } = place;
    if (people[gone] === first) place.gone += 1;
    else again.take();
    this.#waiting -= 1;
    this.#findFirst(place);
    return first;
  }

  /** A person waits again, until `at` at least. */
  wait(person: number, at: number): void {
    const place = this.#placeOf[person] as Place;
    place.again.add(at, person);
    this.#waiting += 1;
    this.#findFirst(place);
    this.#nextAt = Math.min(this.#nextAt, at);
  }

  /** How many may be called at some moment of a time, by place. */
  *callable(from: number, to: number): Generator<readonly [zoneKey: string, people: number]> {
    for (const { zoneKey, hours, people, gone, again } of this.#places) {
      if (hours.nextOpen(from) >= to) continue;
      let due = people.length;
      while (due > gone && this.#dueAt(people[due - 1] as number) >= to) due -= 1;
      const count = due - gone + again.dueBefore(to);
      if (count > 0) yield [zoneKey, count];
    }
  }

  #dueAt(person: number): number {
    return (this.#people[person] as WaitingPerson).notBefore;
  }

  #findFirst(place: Place): void {
    const { people, gone, again } = place;
    const own = people[gone];
    const ownAt = own === undefined ? Infinity : this.#dueAt(own);
    const isOwn = own !== undefined && ownAt <= again.firstAt;
    place.firstAt = isOwn ? ownAt : again.firstAt;
    place.first = isOwn ? own : (again.first ?? Infinity);
  }

  /** The open place whose first person is due before all others. */
  #firstOpen(): Place {
    let first = NOWHERE;
    for (const place of this.#open) {
      const { firstAt } = place;
      if (firstAt > first.firstAt) continue;
      if (firstAt < first.firstAt || place.first < first.first) first = place;
    }
    return first;
  }

  /** Which places are open, until the first of them changes. */
  #lookAt(now: number): void {
    this.#changesAt = Infinity;
    for (const place of this.#places) {
      if (now >= place.changesAt) {
        const until = place.hours.openUntil(now);
        place.isOpen = until > now;
        place.changesAt = place.isOpen ? until : place.hours.nextOpen(now);
      }
      this.#changesAt = Math.min(this.#changesAt, place.changesAt);
    }
    this.#open = this.#places.filter(({ isOpen }) => isOpen);
  }
}
