import type { CallingPlan } from './calling-plan.ts';

/** Where a night's plan has its people, by the lists that are in. Numbers are those of its rows, in their order. */
export class PlannedPlaces {
  readonly #people: CallingPlan['people'];
  readonly #lists: CallingPlan['lists'];
  readonly #phones: readonly string[];

  constructor(plan: CallingPlan | null, phones: readonly string[]) {
    this.#people = plan?.people ?? [];
    this.#lists = plan?.lists ?? [];
    this.#phones = phones;
  }

  /** Where the person is by the last list that came in. */
  homeOf(person: string, listsIn: ReadonlySet<string>): string {
    const lead = this.#phones.indexOf(person);
    return this.#laterRows(lead, listsIn).at(-1)?.zoneKey ?? this.#people[lead]?.zoneKey ?? '';
  }

  /** Where the person is at the number that is dialled. */
  placeOf(person: string, dialled: string, listsIn: ReadonlySet<string>): string {
    const known = this.#people[this.#phones.indexOf(person)];
    if (person === dialled || known === undefined) return this.homeOf(person, listsIn);
    return known.alternatives.find(({ phone }) => phone === dialled)?.zoneKey ?? 'not theirs';
  }

  /** Where the call may have been judged to be: where the list knows no zone, a later or another list may know one. */
  placesOf(person: string, dialled: string, listsIn: ReadonlySet<string>): string[] {
    const own = this.placeOf(person, dialled, listsIn);
    if (!own.startsWith(';')) return [own];
    const lead = this.#phones.indexOf(person);
    const later = this.#laterRows(lead, listsIn).map(({ zoneKey }) => zoneKey);
    return [own, asOne([own, ...later]), this.everyPlaceOf(dialled, listsIn)];
  }

  /** The rows of a lead in the lists that are in, in the order in which these came. */
  #laterRows(lead: number, listsIn: ReadonlySet<string>) {
    return [...listsIn]
      .flatMap((name) => this.#lists.filter((list) => name === list.name))
      .flatMap(({ rows }) => rows.filter((row) => row.lead === lead));
  }

  /** All places at which lists know of a number, as one: all people who have it, as it was and as it is. */
  everyPlaceOf(number: string, listsIn?: ReadonlySet<string>): string {
    const lists = this.#lists.filter(({ name }) => listsIn?.has(name) ?? true);
    const keys = this.#people.flatMap(({ zoneKey, alternatives }, lead) => {
      const phones = [this.#phones[lead], ...alternatives.map(({ phone }) => phone)];
      if (!phones.includes(number)) return [];
      const later = lists.flatMap(({ rows }) => rows.filter((row) => row.lead === lead));
      const further = alternatives.filter(({ phone }) => phone === number);
      return [{ zoneKey }, ...further, ...later].map((each) => each.zoneKey);
    });
    return asOne(keys);
  }

  /** Rows of lists that are in, and not in the results. */
  lost(listsIn: ReadonlySet<string>, rows: readonly { call_phone: string }[]): string[] {
    return this.#lists
      .filter(({ name }) => listsIn.has(name))
      .flatMap((list) => list.rows.map(({ lead }) => this.#phones[lead]))
      .filter((phone) => rows.every((row) => row.call_phone !== phone))
      .map((phone) => `${phone} is in a list that is in, and not in the results`);
  }
}

function asOne(keys: readonly string[]): string {
  const parts = keys.map((key) => key.split(';'));
  const all = (n: number) => [...new Set(parts.map((part) => part[n] ?? '').filter(Boolean))];
  return `${all(0).join('|')};${all(1).join()}`;
}
