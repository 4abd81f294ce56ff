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
  /** When its hours close or open next, and whether they are open until then. */
  changesAt: number;
  isOpen: boolean;
}

/** The people who wait, by place; they are taken in the order in which a claim takes them: by time, then by number. */
export class WaitingRoom {
  readonly #people: readonly WaitingPerson[];
  readonly #places: Place[] = [];
  readonly #placeOf: Place[] = [];
  #waiting = 0;
  /** Nobody is due before this, as long as nobody comes in. */
  #nextAt = 0;
  #changesAt = 0;

  constructor(
    people: readonly WaitingPerson[],
    hoursOf: (zoneKey: string) => PlaceHours,
    now: number,
  ) {
    this.#people = people;
    const places = new Map<string, Place>();
    people.forEach(({ zoneKey }, person) => {
      const place = places.get(zoneKey) ?? {
        ...{ zoneKey, hours: hoursOf(zoneKey), people: [], gone: 0, again: new Queue() },
        ...{ changesAt: 0, isOpen: false },
      };
      places.set(zoneKey, place);
      place.people.push(person);
      this.#placeOf[person] = place;
    });
    const due = (person: number) => people[person]?.notBefore ?? 0;
    for (const place of places.values()) {
      place.people.sort((a, b) => due(a) - due(b) || a - b);
      this.#places.push(place);
    }
    this.#waiting = people.length;
    this.#lookAt(now);
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** When somebody may be called, by their time and the hours; Infinity: never. */
  nextAt(now: number): number {
    if (this.#nextAt > now) return this.#nextAt;
    if (now >= this.#changesAt) this.#lookAt(now);
    if (this.#first(now) !== undefined) return now;
    let next = Infinity;
    for (const place of this.#places) {
      const due = this.#firstAt(place);
      if (due < next) next = Math.min(next, place.hours.nextOpen(Math.max(due, now)));
    }
    return (this.#nextAt = next);
  }

  /** Takes the first of those who are due in open hours; there has to be one, see `nextAt`. */
  take(now: number): number {
    const place = this.#first(now) as Place;
    this.#waiting -= 1;
    const own = this.#ownAt(place);
    if (own <= place.again.firstAt) {
      place.gone += 1;
      return place.people[place.gone - 1] as number;
    }
    return place.again.take();
  }

  /** A person waits again, until `at` at least. */
  wait(person: number, at: number): void {
    const place = this.#placeOf[person] as Place;
    place.again.add(at, person);
    this.#waiting += 1;
    this.#nextAt = Math.min(this.#nextAt, at);
  }

  /** How many may be called at some moment of a time, by place. */
  *callable(from: number, to: number): Generator<readonly [zoneKey: string, people: number]> {
    for (const { zoneKey, hours, people, gone, again } of this.#places) {
      if (hours.nextOpen(from) >= to) continue;
      let due = people.length;
      while (due > gone && (this.#people[people[due - 1] as number]?.notBefore ?? 0) >= to)
        due -= 1;
      const count = due - gone + again.dueBefore(to);
      if (count > 0) yield [zoneKey, count];
    }
  }

  /** The open place whose first person is due before all others. */
  #first(now: number): Place | undefined {
    let first: Place | undefined;
    let firstAt = Infinity;
    for (const place of this.#places) {
      if (!place.isOpen) continue;
      const at = this.#firstAt(place);
      if (at > now || at > firstAt) continue;
      if (at < firstAt || numberOf(place) < numberOf(first as Place))
        [first, firstAt] = [place, at];
    }
    return first;
  }

  #ownAt({ people, gone }: Place): number {
    const person = people[gone];
    return person === undefined ? Infinity : (this.#people[person]?.notBefore ?? 0);
  }

  #firstAt(place: Place): number {
    return Math.min(this.#ownAt(place), place.again.firstAt);
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
  }
}

/** The number of the first person of a place, for places whose first people are due at the same time. */
function numberOf({ people, gone, again }: Place): number {
  return people[gone] ?? again.first ?? Infinity;
}
