/** Things in the order in which they are due; of those that are due together the one that came first. */
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

  /** Nearly everything comes last, or nearly so: a heap would not be faster. */
  add(thing: T): void {
    let [low, high] = [this.#taken, this.#all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#all[middle] as T).dueAt <= thing.dueAt) low = middle + 1;
      else high = middle;
    }
    this.#all.splice(low, 0, thing);
  }

  /** Takes the first one out. */
  take(): T | undefined {
    return this.#all[this.#taken++];
  }
}
