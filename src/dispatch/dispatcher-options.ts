import type { PollScheduler } from '../domain/polling/poll-scheduler.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Lanes } from '../runtime/lanes.ts';
import type { Notify } from '../runtime/log.ts';
import type { VoiceService } from '../service/port.ts';
import type { Campaign, Owner, PresentValues, Store } from '../store/port.ts';

/** What a dispatcher needs, and when it stops. */
export interface DispatcherOptions {
  store: Store;
  service: VoiceService;
  campaign: Campaign;
  /** Its limits, which may change while it is dialled. */
  settings: PresentSettings;
  /** Upper bound for calls in progress at the service, over all campaigns; null: no limit. */
  serviceSlots: number | null;
  clock: Clock;
  owner: Owner;
  /** Shared with the poller. */
  lanes: Lanes;
  /** Decides when calls are polled; the scheduler learns from what the poller finds. */
  scheduler: PollScheduler;
  /** Stop after this many dials; null: no limit. */
  limit: number | null;
  /** No dial after this time, epoch ms; null: none. */
  until: number | null;
  /** Wait for leads that are due up to this time, epoch ms; null: wait for two minutes at most. */
  waitUntil: number | null;
  /** While the service fails, it is asked again up to this time, epoch ms. Default: for ten minutes. */
  patientUntil?: number | null;
  /** True: nobody has asked the service yet, so a harmless read comes before the first dial. Default false. */
  readsFirst?: boolean;
  /** How often it is looked for what other processes have changed, ms. Default 500. */
  othersEveryMs?: number | undefined;
  notify: Notify;
  isGone: (owner: Owner) => boolean;
  /** Called for every placed call with the time of its first poll, epoch ms. */
  onPlaced: (nextPollAt: number) => void;
}

/**
 * Why dialling ended; `shut`: leads wait, but no hours ever open for any of them; `budget`: nobody is called until
 * somebody changes a budget; `paused` is a pause by the program, `not_running` a campaign that is over,
 * `list_unfinished` an import that was interrupted.
 */
export type DispatchEnd =
  | 'none_waiting'
  | 'later'
  | 'shut'
  | 'budget'
  | 'list_unfinished'
  | 'limit'
  | 'until'
  | 'paused'
  | 'not_running'
  | 'disk_full'
  | 'store_failing'
  | 'stopped';

/** Claims tell what is set now; where none was made for so long, the campaign is read: a run follows in a second. */
const LOOK_EVERY_MS = 500;

interface PresentSettingsOptions {
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
