import type { Clock } from './clock.ts';

/** After the first, equal messages are told as one so often; each time after twice as long, up to the last. */
const FIRST_MS = 60_000;
const LONGEST_MS = 960_000;

interface Fold {
  count: number;
  /** Tells those that were held back. */
  tell: (count: number) => void;
  cancel: () => void;
}

/** Equal messages: the first is told at once, those that follow it soon as one with their count. */
export class Folding {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #folds = new Map<string, Fold>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /**
   * @param kind what is equal
   * @param first tells this one
   * @param more tells this one as the last of `count` that were held back
   */
  add(kind: string, first: () => void, more: (count: number) => void): void {
    const fold = this.#folds.get(kind);
    if (fold !== undefined) {
      fold.count += 1;
      fold.tell = more;
      return;
    }
    first();
    this.#wait(kind, FIRST_MS);
  }

  /** Tells what is held back: nothing more comes. */
  flush(): void {
    for (const { count, tell, cancel } of this.#folds.values()) {
      cancel();
      if (count > 0) tell(count);
    }
    this.#folds.clear();
  }

  #wait(kind: string, everyMs: number): void {
    const cancel = this.#clock.after(everyMs, () => {
      const { count = 0, tell } = this.#folds.get(kind) ?? {};
      this.#folds.delete(kind);
      if (count === 0) return;
      tell?.(count);
      this.#wait(kind, Math.min(everyMs * 2, LONGEST_MS));
    });
    this.#folds.set(kind, { count: 0, tell: () => undefined, cancel });
  }
}
