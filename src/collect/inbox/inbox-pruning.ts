import { DAY_MS } from '../../domain/time-units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/port.ts';

/** The body of an applied delivery is kept this long: services stop sending one again well before ... */
const KEEP_BODIES_MS = 30 * DAY_MS;
/** ... and that of an unmatched or unreadable one this long: a person may mend the profile and have it applied again. */
const KEEP_USELESS_MS = 90 * DAY_MS;
/** Bodies are pruned once a day, by the monotonic clock. */
const EVERY_MS = DAY_MS;

/** Drops the bodies of old deliveries, a few hundred at a time, beside other work. */
export class InboxPruning {
  readonly #store: Pick<Store, 'dropBodies'>;
  readonly #service: string;
  readonly #clock: Clock;
  #beganAt = -Infinity;
  /** Where the pruning goes on, epoch ms; null: it has come to the end. */
  #from: number | null = null;

  constructor(store: Pick<Store, 'dropBodies'>, service: string, clock: Clock) {
    this.#store = store;
    this.#service = service;
    this.#clock = clock;
  }

  /** Prunes the next few, if it is time. */
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
