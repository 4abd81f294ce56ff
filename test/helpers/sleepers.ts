/** Those who wait on a clock that only a test moves, in the order in which they are due. */
export class Sleepers {
  readonly #all: Sleeper[] = [];

  get count(): number {
    return this.#all.length;
  }

  /** Who is due first; of those due at the same time, who came first. */
  get first(): Sleeper | undefined {
    return this.#all[0];
  }

  /** @returns takes it out again */
  add(dueAt: number, wake: () => void): () => void {
    const sleeper = { dueAt, wake };
    let place = this.#all.length;
    while (place > 0 && (this.#all[place - 1]?.dueAt ?? 0) > dueAt) place -= 1;
    this.#all.splice(place, 0, sleeper);
    return () => {
      this.remove(sleeper);
    };
  }

  remove(sleeper: Sleeper): void {
    const found = this.#all.indexOf(sleeper);
    if (found !== -1) this.#all.splice(found, 1);
  }
}

export interface Sleeper {
  /** On the monotonic clock. */
  dueAt: number;
  wake: () => void;
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
