import type { Clock } from './clock.ts';

/** Lets a loop sleep for a while, until a call of `wake` or an abort. A `wake` before `wait` ends that `wait` at once. */
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

  /**
   * @param ms how long at most; null waits for a wake or the signal only. A time of the wall clock would not do: a clock
   *   that is set back before the wait begins would make it hours long.
   */
  async wait(ms: number | null, signal?: AbortSignal): Promise<void> {
    if (!this.#woken && signal?.aborted !== true) {
      // There are thousands of waits a second, and a timer and a listener are cheaper than an AbortController.
      await new Promise<void>((resolve) => {
        const cancel = ms === null ? undefined : this.#clock.after(ms, resume);
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
