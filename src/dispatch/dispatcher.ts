import type { Clock } from '../runtime/clock.ts';
import { messageOf } from '../runtime/errors.ts';
import type { Lanes } from '../runtime/lanes.ts';
import type { Notify } from '../runtime/notice.ts';
import { Wakeup } from '../runtime/wakeup.ts';
import type { VoiceService } from '../service/port.ts';
import type { Campaign, Claim, Intent, Owner, Store } from '../store/port.ts';
import { AdaptiveSlots } from './adaptive-slots.ts';
import { Breaker } from './breaker.ts';
import { Judge, type Judgement } from './judge.ts';
import { issuePermit } from './permit.ts';
import { pauseCampaign, placeCall } from './place-call.ts';

/** Another runner, an import or `resume` may have changed something: ask again after this. */
const ASK_AGAIN_MS = 500;
/** Waits up to this for a lead's time (Retry-After) are waited out; longer ones end the run. */
const SHORT_WAIT_MS = 2 * 60_000;

export interface DispatcherOptions {
  store: Store;
  service: VoiceService;
  campaign: Campaign;
  /** Calls in progress at the service at most, over all campaigns; null: no limit. */
  serviceSlots: number | null;
  /** Shared with the poller. */
  lanes: Lanes;
  clock: Clock;
  owner: Owner;
  /** Stop after so many dials; null: no limit. */
  limit: number | null;
  /** No dial after this time, epoch ms; null: none. */
  until: number | null;
  /** Stay for leads that are due up to this time, epoch ms; null: short waits only. */
  waitUntil: number | null;
  notify: Notify;
  /** Told of every placed call: its first look is due then (epoch ms). */
  onPlaced: (nextLookAt: number) => void;
}

/** Why dialling ended; `paused` is the program's own pause, `not_running` a campaign that is over. */
export type DispatchEnd =
  | 'none_waiting'
  | 'later'
  | 'limit'
  | 'until'
  | 'paused'
  | 'not_running'
  | 'store_failing'
  | 'stopped';

/**
 * Claims leads, sends their dials and records the answers, until nothing can be called now. A lane is held
 * from before the claim until the answer is committed, so an intent is on the wire at once.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #wakeup: Wakeup;
  readonly #slots: AdaptiveSlots;
  readonly #breaker = new Breaker();
  readonly #judge = new Judge();
  #inFlight = 0;
  #dialled = 0;
  /** Slots that may be free. The claim decides; this only saves asking in vain. */
  #room: number;
  #holdUntil = 0;
  #proven = false;
  #waitsForResume = false;
  #end: DispatchEnd | null = null;
  readonly #failures: Error[] = [];

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#wakeup = new Wakeup(options.clock);
    this.#slots = new AdaptiveSlots(options.campaign.settings.concurrency);
    this.#room = this.#slots.limit;
    options.lanes.onFree(() => {
      if (this.#room > 0 || this.#inFlight === 0) this.#wakeup.wake();
    });
  }

  /** A call ended: there is room for another. */
  slotFreed(): void {
    this.#room += 1;
    this.#wakeup.wake();
  }

  /** Dials until nothing can be called now or the signal aborts; dials in flight are always awaited. */
  async run(signal: AbortSignal): Promise<DispatchEnd> {
    const { clock, service, store } = this.#options;
    this.#proven = await store.isProven(service.fingerprint);
    while (!signal.aborted && this.#end === null) {
      // A step that ended the run says to come again at once, and the loop's condition sees it.
      const comeAgainAt = await this.#step();
      if (comeAgainAt > clock.now()) await this.#wakeup.wait(comeAgainAt, signal);
    }
    const never = new AbortController().signal;
    while (this.#inFlight > 0) await this.#wakeup.wait(null, never);
    if (this.#failures[0] !== undefined) throw this.#failures[0];
    return this.#end ?? 'stopped';
  }

  /** One claim, if one may be made now. @returns when to come again, epoch ms */
  async #step(): Promise<number> {
    const { clock, lanes, limit, until } = this.#options;
    const now = clock.now();
    const left = limit === null ? Infinity : limit - this.#dialled;
    if (until !== null && now >= until) return this.#finish('until');
    if (left <= 0) return this.#finish('limit');
    if (this.#breaker.isOpen) return this.#probe(now);
    if (now < this.#holdUntil) return this.#holdUntil;

    const want = Math.min(lanes.free, this.#room, left);
    if (want > 0) return this.#afterClaim(await this.#claim(want), clock.now());
    // The estimate may be wrong (another runner's calls end unseen): let the claim look now and then.
    if (this.#room <= 0) this.#room = 1;
    return now + ASK_AGAIN_MS;
  }

  /** Takes the lanes first, then claims: what is claimed has its lane. */
  async #claim(want: number): Promise<Claim> {
    const { store, campaign, service, serviceSlots, clock, owner, lanes } = this.#options;
    const permit = issuePermit(clock);
    this.#room -= want;
    const claiming = store.claim({
      campaignId: campaign.id,
      want,
      slots: this.#slots.limit,
      serviceSlots,
      service: service.name,
      fingerprint: service.fingerprint,
      now: clock.now(),
      owner,
    });
    for (let lane = 0; lane < want; lane++) {
      lanes.start(async () => {
        const claim = await claiming.catch(() => undefined);
        const intent = claim?.intents[lane];
        if (intent !== undefined) await this.#dial(intent, permit);
      });
    }
    const claim = await claiming;
    this.#dialled += claim.intents.length;
    this.#inFlight += claim.intents.length;
    // Where slots were lacking the estimate was wrong; what was freed meanwhile has been added to it.
    if (claim.hold !== 'no_free_slot') this.#room += want - claim.intents.length;
    return claim;
  }

  /** What the claim's answer means for the next one. */
  async #afterClaim({ hold, askAgainAt }: Claim, now: number): Promise<number> {
    if (hold !== 'not_running') this.#noticeResume();
    switch (hold) {
      case null:
        return now;
      case 'no_free_slot':
        return this.#room > 0 ? now : now + ASK_AGAIN_MS;
      case 'pace':
        return askAgainAt ?? now + ASK_AGAIN_MS;
      case 'none_waiting':
        return this.#inFlight === 0 ? this.#finish('none_waiting') : now + ASK_AGAIN_MS;
      case 'not_yet_due': {
        const patience = Math.max(this.#options.waitUntil ?? 0, now + SHORT_WAIT_MS);
        const dueAt = askAgainAt ?? now;
        return dueAt > patience && this.#inFlight === 0 ? this.#finish('later') : dueAt;
      }
      case 'not_running':
        return this.#whenNotRunning(now);
      case 'first_answer_pending':
      case 'list_unfinished':
        return now + ASK_AGAIN_MS;
    }
  }

  /** The operator's pause is waited out; the program's own, and a campaign that is over, end the run. */
  async #whenNotRunning(now: number): Promise<number> {
    const { store, notify, campaign } = this.#options;
    const found = await store.findCampaign(campaign.name);
    if (found?.state === 'running') return now;
    if (found?.state !== 'paused') return this.#finish('not_running');
    if (found.pauseReason !== 'operator') return this.#finish('paused');
    if (!this.#waitsForResume) {
      this.#waitsForResume = true;
      notify({ event: 'campaign.paused', reason: 'operator', detail: found.pauseDetail ?? '' });
    }
    return now + ASK_AGAIN_MS;
  }

  #noticeResume(): void {
    if (!this.#waitsForResume) return;
    this.#waitsForResume = false;
    this.#options.notify({ event: 'campaign.resumed' });
  }

  async #dial(intent: Intent, permit: () => boolean): Promise<void> {
    try {
      const judgement = await placeCall(intent, permit, {
        ...this.#options,
        judge: this.#judge,
        isProven: () => this.#proven,
        onStoreFailing: (detail) => {
          this.#finish('store_failing');
          this.#options.notify({ event: 'store.failing', detail });
        },
      });
      await this.#learn(judgement);
    } catch (error) {
      this.#failures.push(error instanceof Error ? error : new Error(messageOf(error)));
      this.#finish('store_failing');
    } finally {
      this.#inFlight -= 1;
      this.#wakeup.wake();
    }
  }

  async #learn({ record, pause, health, holdUntil }: Judgement): Promise<void> {
    const { clock, notify, onPlaced } = this.#options;
    const now = clock.now();
    if (record.kind === 'placed') {
      this.#proven = true;
      this.#slots.placed();
      onPlaced(record.nextLookAt);
    } else if (record.kind !== 'unknown') {
      this.#room += 1;
    }
    if (
      record.kind === 'released' &&
      record.reason === 'refused_without_effect' &&
      pause === null
    ) {
      if (this.#slots.refused(now)) notify({ event: 'slots.shrunk', limit: this.#slots.limit });
    }
    if (holdUntil !== null) this.#holdUntil = Math.max(this.#holdUntil, holdUntil);
    if (health !== null && this.#breaker.record(health, now)) {
      notify({ event: 'breaker.opened', detail: record.detail });
    }
    if (pause !== null && this.#end !== 'paused') {
      this.#finish('paused');
      await pauseCampaign(this.#options, pause);
    }
  }

  /** The breaker is open: a harmless GET decides, never a dial. */
  async #probe(now: number): Promise<number> {
    const { service, clock, notify } = this.#options;
    if (now < this.#breaker.probeAt) return this.#breaker.probeAt;
    const found = await service.probe();
    this.#breaker.recordProbe(found.ok, clock.now());
    if (found.ok) {
      notify({ event: 'breaker.closed' });
      return clock.now();
    }
    if (!found.keyRefused && !this.#breaker.hasGivenUp(clock.now())) return this.#breaker.probeAt;
    const reason = found.keyRefused ? 'key' : 'breaker';
    const end = this.#finish('paused');
    await pauseCampaign(this.#options, { reason, detail: found.why });
    return end;
  }

  #finish(end: DispatchEnd): number {
    this.#end ??= end;
    this.#wakeup.wake();
    return 0;
  }
}
