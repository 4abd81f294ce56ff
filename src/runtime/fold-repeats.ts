import type { Clock } from './clock.ts';

/** Repeats of a message are reported together after the first interval, which then doubles up to the longest. */
const FIRST_MS = 60_000;
const LONGEST_MS = 960_000;

/** Reports a message. @param more it is the last of so many that were held back; left out: it is alone */
type Tell = (more?: number) => void;

interface Fold {
  count: number;
  tell: Tell;
  cancel: () => void;
}

/** Folds equal messages: the first is reported at once, repeats soon after it are reported as one with their count. */
export class Folding {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #folds = new Map<string, Fold>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** @param kind messages of the same kind count as equal */
  add(kind: string, tell: Tell): void {
    const fold = this.#folds.get(kind);
    if (fold !== undefined) {
      fold.count += 1;
      fold.tell = tell;
      return;
    }
    tell();
    this.#wait(kind, FIRST_MS);
  }

  /** Reports all messages that are held back; to be called when no more messages come. */
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
