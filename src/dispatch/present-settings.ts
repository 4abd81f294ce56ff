import type { Clock } from '../runtime/clock.ts';
import type { Campaign, PresentValues, Store } from '../store/port.ts';

/** Claims tell what is set now; where none was made for so long, the campaign is read: a run follows in a second. */
const LOOK_EVERY_MS = 500;

export interface PresentSettingsOptions {
  store: Store;
  campaign: Campaign;
  clock: Clock;
  /** Default 500; see `DispatcherOptions`. */
  othersEveryMs?: number | undefined;
}

/** The limits of a campaign as they are set now, which a run in progress follows. */
export class PresentSettings {
  readonly #options: PresentSettingsOptions;
  #values: PresentValues;
  /** When they were last seen, ms of the monotonic clock. */
  #seenAt: number;
  readonly #listeners: ((values: PresentValues) => void)[] = [];

  constructor(options: PresentSettingsOptions) {
    this.#options = options;
    this.#values = options.campaign.settings;
    this.#seenAt = options.clock.monotonic();
  }

  get concurrency(): number {
    return this.#values.concurrency;
  }

  get requests(): number {
    return this.#values.requests;
  }

  /** Listeners are called whenever one of the values has changed, in the order of registration. */
  onChange(listener: (values: PresentValues) => void): void {
    this.#listeners.push(listener);
  }

  /** To be called with what was read of the campaign; null: nothing could be read. */
  saw(values: PresentValues | null): void {
    if (values === null) return;
    this.#seenAt = this.#options.clock.monotonic();
    const { concurrency, requests } = this.#values;
    this.#values = values;
    if (values.concurrency === concurrency && values.requests === requests) return;
    for (const listener of this.#listeners) listener(values);
  }

  /** Reads the campaign whenever nobody has seen its settings for half a second, until the signal aborts. */
  async keepLooking(signal: AbortSignal): Promise<void> {
    const { store, campaign, clock, othersEveryMs = LOOK_EVERY_MS } = this.#options;
    while (!signal.aborted) {
      const restMs = this.#seenAt + othersEveryMs - clock.monotonic();
      if (restMs > 0) {
        await clock.sleep(restMs, signal);
        continue;
      }
      const found = await store.findCampaign(campaign.name);
      // A campaign that has another name now is not seen again; the next look is due as after any other.
      if (found?.id === campaign.id) this.saw(found.settings);
      else this.#seenAt = clock.monotonic();
    }
  }
}
