import pLimit, { type LimitFunction } from 'p-limit';

import type { Clock } from './clock.ts';

/**
 * Request lanes: the limit of HTTP requests in flight, dials and reads together. Callers start a task only when a lane
 * is free, so nothing queues here, and memory does not grow with the list.
 */
export class Lanes {
  readonly #limit: LimitFunction;
  readonly #onFree: (() => void)[] = [];

  /** @param count the most requests in flight, 1 to 256 */
  constructor(count: number) {
    this.#limit = pLimit(count);
  }

  get free(): number {
    const { concurrency, activeCount, pendingCount } = this.#limit;
    return Math.max(0, concurrency - activeCount - pendingCount);
  }

  /** Listeners are called whenever a lane becomes free, in the order of registration. */
  onFree(listener: () => void): void {
    this.#onFree.push(listener);
  }

  /** Requests in flight that are more than the new count end by themselves. @param count as in the constructor */
  resize(count: number): void {
    const isMore = count > this.#limit.concurrency;
    this.#limit.concurrency = count;
    if (isMore && this.free > 0) this.#tellFree();
  }

  /** Starts `task` in a lane of its own. The task handles its own errors. */
  start(task: () => Promise<void>): void {
    void this.#limit(task).finally(() => this.#tellFree());
  }

  #tellFree(): void {
    for (const listener of this.#onFree) listener();
  }
}

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
   * @param ms how long at most; null waits for a wake or the signal only. A time of the wall clock would not do: a
   *   clock that is set back before the wait begins would make it hours long.
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
