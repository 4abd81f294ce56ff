import type { Clock } from './clock.ts';

/** Lets a loop sleep until a time, a call of `wake` or an abort. A `wake` before `wait` ends that `wait` at once. */
export class Wakeup {
  readonly #clock: Clock;
  #woken = false;
  #resume: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  wake(): void {
    this.#woken = true;
    this.#resume?.();
  }

  /** @param untilMs epoch ms; null waits for a wake or the signal only */
  async wait(untilMs: number | null, signal?: AbortSignal): Promise<void> {
    if (!this.#woken && signal?.aborted !== true) {
      // There are thousands of waits a second, and a timer and a listener are cheaper than an AbortController.
      await new Promise<void>((resolve) => {
        const cancel =
          untilMs === null ? undefined : this.#clock.after(untilMs - this.#clock.now(), resume);
        function resume() {
          cancel?.();
          signal?.removeEventListener('abort', resume);
          resolve();
        }
        this.#resume = resume;
        signal?.addEventListener('abort', resume, { once: true });
      });
      this.#resume = undefined;
    }
    this.#woken = false;
  }
}
