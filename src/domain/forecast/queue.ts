/** Numbered things in the order in which they are due, and of those that are due at the same time in that of their numbers. */
export class Queue {
  readonly #times: number[] = [];
  readonly #numbers: number[] = [];

  /** When the first one is due; Infinity: there is none. */
  get firstAt(): number {
    return this.#times[0] ?? Infinity;
  }

  get first(): number | undefined {
    return this.#numbers[0];
  }

  get size(): number {
    return this.#times.length;
  }

  /** How many are due before a moment. */
  dueBefore(at: number): number {
    return this.#times.reduce((count, time) => (time < at ? count + 1 : count), 0);
  }

  add(at: number, number: number): void {
    const [times, numbers] = [this.#times, this.#numbers];
    let place = times.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const time = times[parent] as number;
      if (time < at || (time === at && (numbers[parent] as number) <= number)) break;
      times[place] = time;
      numbers[place] = numbers[parent] as number;
      place = parent;
    }
    times[place] = at;
    numbers[place] = number;
  }

  /** Takes the first one out; there has to be one. */
  take(): number {
    const [times, numbers] = [this.#times, this.#numbers];
    const first = numbers[0] as number;
    const at = times.pop() as number;
    const number = numbers.pop() as number;
    const size = times.length;
    if (size === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#isBefore(child + 1, child)) child += 1;
      const time = times[child] as number;
      if (at < time || (at === time && number <= (numbers[child] as number))) break;
      times[place] = time;
      numbers[place] = numbers[child] as number;
      place = child;
    }
    times[place] = at;
    numbers[place] = number;
    return first;
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#times[one] as number, this.#times[other] as number];
    return a < b || (a === b && (this.#numbers[one] as number) < (this.#numbers[other] as number));
  }
}
