/**
 * When the calls in progress end, as a binary min-heap: a dial costs O(log n) of the calls in progress,
 * however many an account has behind it.
 */
export class EndTimes {
  readonly #heap: number[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** The next end; undefined when no call is in progress. */
  get earliest(): number | undefined {
    return this.#heap[0];
  }

  add(endsAt: number): void {
    const heap = this.#heap;
    let child = heap.push(endsAt) - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (this.#at(parent) <= endsAt) break;
      heap[child] = this.#at(parent);
      child = parent;
    }
    heap[child] = endsAt;
  }

  /** Forgets the calls that have ended by `now`. */
  dropUntil(now: number): void {
    while (this.#heap.length > 0 && this.#at(0) <= now) this.#dropEarliest();
  }

  #dropEarliest(): void {
    const last = this.#heap.pop();
    const size = this.#heap.length;
    if (last === undefined || size === 0) return;
    let parent = 0;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#at(child + 1) < this.#at(child)) child++;
      if (last <= this.#at(child)) break;
      this.#heap[parent] = this.#at(child);
      parent = child;
    }
    this.#heap[parent] = last;
  }

  #at(index: number): number {
    return this.#heap[index] ?? Infinity;
  }
}
