import type { PollScheduler } from '../domain/polling/poll-scheduler.ts';
import { isHeard } from '../domain/time-units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Lanes } from '../runtime/lanes.ts';
import type { Notify } from '../runtime/log.ts';
import type { VoiceService } from '../service/port.ts';
import type {
  Campaign,
  Claim,
  DialRecord,
  List,
  Owner,
  PresentValues,
  Store,
} from '../store/port.ts';

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

type PresentSettingsOptions = Pick<
  DispatcherOptions,
  'store' | 'campaign' | 'clock' | 'othersEveryMs'
>;

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

/** Sees what other processes change in a campaign that is dialled, and reports the operator's pause and resume. */
export function createCampaignWatch(options: DispatcherOptions) {
  const { store, campaign, clock, notify, isGone } = options;
  let isOnPause = false;

  /** To be called when a claim has shown that the campaign is running. */
  const runs = () => {
    if (isOnPause) notify({ event: 'campaign.resumed' });
    isOnPause = false;
  };

  return {
    runs,

    /**
     * @returns `wait`: paused by the operator, and the run waits for the end of the pause; `paused`: paused by the
     *   program; `not_running`: the campaign is over
     */
    check: async (): Promise<'running' | 'wait' | 'paused' | 'not_running'> => {
      const found = await store.findCampaign(campaign.name);
      if (found?.state === 'running') {
        runs();
        return 'running';
      }
      if (found?.state !== 'paused') return 'not_running';
      if (found.pauseReason !== 'operator') return 'paused';
      if (!isOnPause) {
        isOnPause = true;
        notify({ event: 'campaign.paused', reason: 'operator', detail: found.pauseDetail ?? '' });
      }
      return 'wait';
    },

    /** For a claim that gave nothing as an import is unfinished: true when no living process continues that import. */
    isImportBrokenOff: async (): Promise<boolean> => {
      const open = (await store.lists(campaign.id)).filter(({ finishedAt }) => finishedAt === null);
      const isAlive = ({ importer }: List) =>
        importer !== null && isHeard(importer, clock.now()) && !isGone(importer);
      return open.length > 0 && !open.some(isAlive);
    },
  };
}

/**
 * How many leads are worth claiming: an estimate from the slots that may be free, what is left of `--limit`, and the
 * dials in flight. The store decides; the estimate only avoids claims that would get nothing.
 */
export class DialBudget {
  /** Slots that may be free. */
  #room: number;
  /** Dials that may still be made; Infinity: no limit. */
  #left: number;
  #inFlight = 0;
  #concurrency: number;
  /** How many slots the next guess is about, and whether the last claim asked for guessed ones. */
  #guess = 1;
  #isGuessed = false;

  /** @param limit dials of this run at most; null: no limit */
  constructor(concurrency: number, limit: number | null) {
    this.#room = concurrency;
    this.#concurrency = concurrency;
    this.#left = limit ?? Infinity;
  }

  /** Dials whose answer has not come, or is not recorded yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  get hasRoom(): boolean {
    return this.#room > 0;
  }

  /** True when the limit is used up and no dial in flight can be given back any more. */
  get isSpent(): boolean {
    return this.#left <= 0 && this.#inFlight === 0;
  }

  /** How many leads to claim at most; 0: none now. */
  get most(): number {
    return Math.max(0, Math.min(this.#room, this.#left));
  }

  /** Ends of other processes' calls are not seen: assume one free slot now and then, so that a claim finds out. */
  guessRoom(): void {
    if (this.#room > 0) return;
    this.#room = this.#guess;
    this.#isGuessed = true;
  }

  /** The campaign may use another number of slots. */
  resize(concurrency: number): void {
    this.#room += concurrency - this.#concurrency;
    this.#concurrency = concurrency;
  }

  slotFreed(): void {
    this.#room += 1;
  }

  asked(want: number): void {
    this.#room -= want;
  }

  granted(want: number, { intents, shortfall }: Claim): void {
    // Replays have their slots already and were counted when they were sent first; a claim never mixes them with new dials.
    const taken = intents[0]?.replayed === true ? 0 : intents.length;
    this.#left -= taken;
    this.#inFlight += intents.length;
    // The store found no free slot: the estimate was too high. Slots freed since then were added to it already.
    if (shortfall !== 'no_free_slot') this.#room += want - taken;
    // A guess that came true is followed by a larger one: slots that others have left are filled in a few steps.
    const cameTrue = this.#isGuessed && shortfall === null && taken > 0;
    this.#guess = cameTrue ? Math.min(2 * this.#guess, this.#concurrency) : 1;
    if (cameTrue) this.#room = Math.max(this.#room, this.#guess);
    this.#isGuessed = cameTrue;
  }

  /** Call when the answer is recorded. A call that was placed, or may have been, keeps its slot. */
  answered(record: DialRecord): void {
    if (record.kind !== 'placed' && record.kind !== 'unknown') this.#room += 1;
    if (record.kind === 'released') this.#left += 1;
  }

  /** Call when the dial is over, with or without an answer. */
  done(): void {
    this.#inFlight -= 1;
  }
}
