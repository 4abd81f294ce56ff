import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/port.ts';

/** So long a delivery is kept in full after it has done its part: longer than any service repeats one ... */
const KEEP_BODIES_MS = 30 * 86_400_000;
/** ... and so long where it came to nothing: a person may mend the profile and have it looked at again. */
const KEEP_USELESS_MS = 90 * 86_400_000;
/** They are looked through once a day, on the monotonic clock. */
const EVERY_MS = 86_400_000;

/** Drops the bodies of old deliveries, a few hundred at a time, beside other work. */
export class InboxPruning {
  readonly #store: Pick<Store, 'dropBodies'>;
  readonly #service: string;
  readonly #clock: Clock;
  #beganAt = -Infinity;
  /** Where to go on, epoch ms; null: it has come to the end. */
  #from: number | null = null;

  constructor(store: Pick<Store, 'dropBodies'>, service: string, clock: Clock) {
    this.#store = store;
    this.#service = service;
    this.#clock = clock;
  }

  /** The next few, if it is time. */
  async step(): Promise<void> {
    const monotonic = this.#clock.monotonic();
    if (this.#from === null && monotonic - this.#beganAt < EVERY_MS) return;
    if (this.#from === null) this.#beganAt = monotonic;
    const now = this.#clock.now();
    this.#from = await this.#store.dropBodies({
      service: this.#service,
      from: this.#from ?? 0,
      before: now - KEEP_BODIES_MS,
      uselessBefore: now - KEEP_USELESS_MS,
    });
  }
}
