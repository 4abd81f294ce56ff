import type { Clock } from './clock.ts';

/** Lets a loop sleep until a time, a call to `wake`, or an abort, whichever is first; a wake in between is not lost. */
export class Wakeup {
  readonly #clock: Clock;
  #woken = false;
  #interrupt: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  wake(): void {
    this.#woken = true;
    this.#interrupt?.();
  }

  /** @param untilMs epoch ms; null waits for a wake or the signal only */
  async wait(untilMs: number | null, signal: AbortSignal): Promise<void> {
    if (!this.#woken && !signal.aborted) {
      const controller = new AbortController();
      // A reason of our own: the default one is an exception with a stack, at every wake.
      const interrupt = () => {
        controller.abort('woken');
      };
      this.#interrupt = interrupt;
      signal.addEventListener('abort', interrupt, { once: true });
      const ms = untilMs === null ? Number.MAX_SAFE_INTEGER : untilMs - this.#clock.now();
      await this.#clock.sleep(ms, controller.signal);
      signal.removeEventListener('abort', interrupt);
      this.#interrupt = undefined;
    }
    this.#woken = false;
  }
}
