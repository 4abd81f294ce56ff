/** Those who wait on a clock that is moved by hand, in the order in which they are due. */
export class Sleepers {
  /** A heap: each one is due no later than the two at twice its place and one or two further. */
  readonly #heap: Sleeper[] = [];
  #added = 0;
  #gone = 0;

  get count(): number {
    return this.#heap.length - this.#gone;
  }

  /** Who is due first; of those due at the same time, who came first. */
  get first(): Sleeper | undefined {
    while (this.#heap[0]?.isGone === true) {
      this.#pop();
      this.#gone -= 1;
    }
    return this.#heap[0];
  }

  /** @returns takes it out again */
  add(dueAt: number, wake: () => void): () => void {
    const sleeper = { dueAt, wake, order: this.#added++, isGone: false };
    this.#rise(this.#heap.push(sleeper) - 1, sleeper);
    return () => {
      this.remove(sleeper);
    };
  }

  /** It stays in its place until that is the first: to look for it would take longer. */
  remove(sleeper: Sleeper): void {
    if (sleeper.isGone) return;
    sleeper.isGone = true;
    sleeper.wake = () => undefined;
    this.#gone += 1;
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#sink(last);
  }

  #rise(from: number, sleeper: Sleeper): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const other = this.#heap[above];
      if (other === undefined || isBefore(other, sleeper)) break;
      this.#heap[place] = other;
      place = above;
    }
    this.#heap[place] = sleeper;
  }

  /** From the top down. */
  #sink(sleeper: Sleeper): void {
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      const [left, right] = [this.#heap[below], this.#heap[below + 1]];
      if (left !== undefined && right !== undefined && isBefore(right, left)) below += 1;
      const next = this.#heap[below];
      if (next === undefined || isBefore(sleeper, next)) break;
      this.#heap[place] = next;
      place = below;
    }
    this.#heap[place] = sleeper;
  }
}

export interface Sleeper {
  /** On the monotonic clock. */
  readonly dueAt: number;
  wake: () => void;
  readonly order: number;
  /** It has been woken, or needs it no more. */
  isGone: boolean;
}

function isBefore(one: Sleeper, other: Sleeper): boolean {
  return one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.order < other.order);
}

/** `Clock.sleep`, made of `Clock.after`. */
export function sleepOn(
  after: (ms: number, work: () => void) => () => void,
  ms: number,
  signal?: AbortSignal,
): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => {
      cancel();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = after(ms, wake);
    signal?.addEventListener('abort', wake, { once: true });
  });
}
