import type { Clock } from '../runtime/clock.ts';
import { messageOf } from '../runtime/errors.ts';
import { Wakeup } from '../runtime/lanes.ts';
import type { Claim, Intent } from '../store/port.ts';
import { AnswerPolicy, type Answered, type Pause } from './answer-policy.ts';
import {
  createCampaignWatch,
  DialBudget,
  type DispatchEnd,
  type DispatcherOptions,
} from './dispatcher-options.ts';
import { asOne, pauseCampaign, placeCall, type PlaceContext } from './place-call.ts';
import { createServiceGate } from './service-gate.ts';

/** Another process may have changed something (a call ended, an import, `resume`): claim again after this. */
const ASK_AGAIN_MS = 500;
/** The run waits this long for a Retry-After or for the next due lead; a longer wait ends it. */
const SHORT_WAIT_MS = 2 * 60_000;
/** A person is told that another machine is waited for. */
const AWAITED_MS = 60_000;

/**
 * Claims leads, sends their dials and records the answers, until nothing can be called now. A request lane is
 * reserved before the claim and kept until the answer is committed, so a claimed dial never waits for a lane.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #askAgainMs: number;
  readonly #wakeup: Wakeup;
  /** Polls tell it what they find out about the service. */
  readonly gate: ReturnType<typeof createServiceGate>;
  readonly #budget: DialBudget;
  readonly #watch: ReturnType<typeof createCampaignWatch>;
  readonly #claims: LeadClaims;
  readonly #placing: PlaceContext;
  /** True when only a free lane is missing. Without this flag, unused reserved lanes would wake the loop forever. */
  #wantsLane = false;
  /** Since when another machine's dial journal is waited for, epoch ms; `told`: a person was told of it. */
  #awaits: { since: number; told: boolean } | null = null;
  /** People wait, and what they wait for is a slot. */
  #isSlotWanted = false;
  #end: DispatchEnd | null = null;
  readonly #failures: Error[] = [];
  /** After a run that ended `later`: when leads can be called again, and whether that holds for all of them. */
  next: { at: number; forAll: boolean } | null = null;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#askAgainMs = options.othersEveryMs ?? ASK_AGAIN_MS;
    this.#wakeup = new Wakeup(options.clock);
    this.gate = createServiceGate(options, () => this.#wakeup.wake());
    this.#budget = new DialBudget(options.settings.concurrency, options.limit);
    this.#watch = createCampaignWatch(options);
    this.#claims = new LeadClaims(options);
    this.#placing = {
      ...options,
      policy: new AnswerPolicy(),
      isProven: () => this.#claims.isProven,
      onStoreFailing: (detail) => {
        if (this.#end === 'store_failing') return;
        this.#end = 'store_failing';
        options.notify({ event: 'store.failing', detail });
        this.#wakeup.wake();
      },
    };
    options.settings.onChange(({ concurrency }) => {
      this.#budget.resize(concurrency);
      this.#wakeup.wake();
    });
    options.lanes.onFree(() => {
      if (this.#wantsLane) this.#wakeup.wake();
    });
  }

  /** To be called when a call ended: its slot is free. */
  slotFreed(): void {
    this.#budget.slotFreed();
    this.gate.slotFreed();
    this.#wakeup.wake();
  }

  /**
   * Dials until nothing can be called now or the signal aborts; dials in flight are always awaited.
   *
   * @throws the store's error, once no dial is in flight
   */
  async run(signal: AbortSignal): Promise<DispatchEnd> {
    const { clock } = this.#options;
    while (!signal.aborted && this.#end === null) {
      try {
        // A step that ended the run returns 0: no wait, and the loop's condition ends it.
        const waitMs = (await this.#step()) - clock.now();
        // The wait could be longer only if the wall clock was set back during the step, hence the limit.
        if (waitMs > 0) await this.#wakeup.wait(Math.min(waitMs, this.#askAgainMs), signal);
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#options.scheduler.want(null, Infinity);
    while (this.#budget.inFlight > 0) await this.#wakeup.wait(null);
    if (this.#failures.length > 0) throw asOne(this.#failures);
    return this.#end ?? 'stopped';
  }

  /** Claims and dials once, if that may be done now. @returns when the next step is due, epoch ms */
  async #step(): Promise<number> {
    const { clock, lanes, until } = this.#options;
    const now = clock.now();
    if (until !== null && now >= until) return this.#finish('until');
    if (this.#budget.isSpent) return this.#finish('limit');

    const { scheduler, service } = this.#options;
    scheduler.want(
      this.#isSlotWanted && !this.gate.isShut ? this.gate.slots : null,
      service.requestRate?.() ?? Infinity,
    );
    const admission = await this.gate.ask(this.#budget.inFlight);
    if (admission.kind === 'given_up') return this.#pause(admission.pause);
    // A claim would show the campaign's state; without a claim the state has to be read.
    if (admission.kind === 'closed') {
      const isIdle = this.#budget.inFlight === 0;
      return (await this.#unlessRunning(now)) ?? this.#stayFor(admission.forMs, now, isIdle, true);
    }

    const most = Math.min(this.#budget.most, admission.atMost);
    const want = Math.min(lanes.free, most);
    this.#wantsLane = want === 0 && most > 0;
    // An answer may have ended the run during the await above.
    if (want > 0 && this.#end === null) {
      const wasIdle = this.#budget.inFlight === 0;
      return this.#afterClaim(await this.#claim(want), wasIdle, clock.now());
    }
    this.#budget.guessRoom();
    return now + this.#askAgainMs;
  }

  /** Reserves the lanes first, then claims: each claimed dial has its lane. */
  async #claim(want: number): Promise<Claim> {
    const { lanes, clock } = this.#options;
    const permit = issuePermit(clock);
    this.#budget.asked(want);
    const claiming = this.#claims.ask(want, this.gate.slots);
    for (let lane = 0; lane < want; lane++) {
      lanes.start(async () => {
        const claim = await claiming.catch(() => undefined);
        const intent = claim?.intents[lane];
        if (intent !== undefined) await this.#dial(intent, permit);
      });
    }
    const claim = await claiming;
    this.#budget.granted(want, claim);
    return claim;
  }

  /** By a claim's answer: when the next step is due, or the end. `wasIdle`: no dial was in flight before the claim. */
  async #afterClaim(
    { shortfall, askAgainAt }: Claim,
    wasIdle: boolean,
    now: number,
  ): Promise<number> {
    const isIdle = wasIdle && this.#budget.inFlight === 0;
    const again = now + this.#askAgainMs;
    const waitMs = (askAgainAt ?? now) - now;
    if (shortfall === 'store_locked') return again;
    if (shortfall === 'machines_awaited') {
      this.#isSlotWanted = false;
      this.#awaitMachines(now);
      return again;
    }
    this.#awaits = null;
    // That all were given who were asked for says nothing: fewer may have been asked for than there are slots.
    if (shortfall !== null) this.#isSlotWanted = shortfall === 'no_free_slot';
    // A paused campaign without waiting leads answers `none_waiting` as well.
    if (shortfall !== 'not_running' && shortfall !== 'none_waiting') this.#watch.runs();
    switch (shortfall) {
      case null:
        return now;
      case 'disk_full':
        this.#options.notify({ event: 'disk.full' });
        return this.#finish('disk_full');
      case 'no_free_slot':
        return this.#budget.hasRoom ? now : again;
      case 'none_waiting':
        return isIdle && !(await this.#claims.someMayWaitAgain())
          ? this.#finish('none_waiting')
          : again;
      case 'service_backoff':
      case 'not_yet_due':
        return this.#stayFor(waitMs, now, isIdle, shortfall === 'service_backoff');
      case 'budget':
      case 'outside_hours':
        if (askAgainAt !== null) return this.#stayFor(waitMs, now, isIdle, shortfall === 'budget');
        // Only somebody who changes the settings helps: without an end, that is what this waits for.
        if (this.#options.waitUntil === Infinity || !isIdle) return again;
        return this.#finish(shortfall === 'budget' ? 'budget' : 'shut');
      case 'pace':
      case 'first_answer_pending':
      case 'share':
        return Math.min(askAgainAt ?? Infinity, again);
      case 'not_running':
        return (await this.#unlessRunning(now)) ?? now;
      case 'list_unfinished':
        return isIdle && (await this.#watch.isImportBrokenOff())
          ? this.#finish('list_unfinished')
          : again;
    }
  }

  /** After a failover each machine shows its journal within seconds; one that does not needs a person. */
  #awaitMachines(now: number): void {
    this.#awaits ??= { since: now, told: false };
    if (this.#awaits.told || now - this.#awaits.since < AWAITED_MS) return;
    this.#awaits.told = true;
    this.#options.notify({ event: 'machines.awaited' });
  }

  /** Waits if `ms` is short or the operator asked to wait, claiming again every half second; else ends the run. */
  #stayFor(ms: number, now: number, isIdle: boolean, forAll = false): number {
    const patience = Math.max(SHORT_WAIT_MS, (this.#options.waitUntil ?? 0) - now);
    if (ms > patience && isIdle) {
      this.next = { at: now + ms, forAll };
      return this.#finish('later');
    }
    return now + Math.min(ms, this.#askAgainMs);
  }

  /** @returns when the next step is due, epoch ms; null when the campaign runs */
  async #unlessRunning(now: number): Promise<number | null> {
    const found = await this.#watch.check();
    if (found === 'running') return null;
    return found === 'wait' ? now + this.#askAgainMs : this.#finish(found);
  }

  async #dial(intent: Intent, permit: () => boolean): Promise<void> {
    try {
      await this.#learn(await placeCall(intent, permit, this.#placing));
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#budget.done();
      this.#wakeup.wake();
    }
  }

  async #learn(judgement: Answered): Promise<void> {
    const { record, pause } = judgement;
    this.#budget.answered(record);
    if (record.kind === 'placed') {
      this.#claims.isProven = true;
      this.#options.onPlaced(record.nextPollAt);
    }
    const { store, campaign, clock } = this.#options;
    const isRefused = judgement.backoffMs !== null;
    const slots = isRefused ? store.heldSlots(campaign.id, clock.now()) : Promise.resolve([]);
    // The gate must know of the refusal, also where this cannot be read.
    const held = await slots.then(
      ({ length }) => length,
      () => Infinity,
    );
    this.gate.learn(judgement, held);
    if (pause !== null) await this.#pause(pause);
  }

  /** The program pauses the campaign. This replaces any other reason to end, as a person has to know of it. */
  async #pause(pause: Pause): Promise<number> {
    if (this.#end === 'paused') return 0;
    this.#end = 'paused';
    await pauseCampaign(this.#options, pause);
    return 0;
  }

  #fail(error: unknown): void {
    this.#failures.push(error instanceof Error ? error : new Error(messageOf(error)));
    this.#finish('store_failing');
  }

  #finish(end: DispatchEnd): number {
    this.#end ??= end;
    this.#wakeup.wake();
    return 0;
  }
}

/** A dial may be sent for this long after its claim; a process that was stopped or asleep finds the permit expired. */
const PERMIT_MS = 5_000;

/**
 * Permission to send what is claimed from now on: false once either clock has moved more than 5 s. Both are needed:
 * the monotonic clock may stand still while the machine sleeps, and the wall clock may be set back.
 */
export function issuePermit(clock: Clock): () => boolean {
  const wall = clock.now();
  const monotonic = clock.monotonic();
  return () =>
    Math.abs(clock.now() - wall) <= PERMIT_MS && clock.monotonic() - monotonic <= PERMIT_MS;
}

/** Claims leads to dial from the store, and knows whether the service was proven then. */
class LeadClaims {
  readonly #options: DispatcherOptions;
  /** True once this service has answered a dial as its profile expects. */
  isProven = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  async ask(want: number, slots: number): Promise<Claim> {
    const { store, campaign, settings, service, serviceSlots, clock, owner } = this.#options;
    const { name, fingerprint } = service;
    const claim = await store.claim({
      campaignId: campaign.id,
      want,
      slots,
      serviceSlots,
      service: name,
      fingerprint,
      now: clock.now(),
      owner,
      ...(service.idempotency !== undefined && {
        replay: { ...service.idempotency, monotonic: clock.monotonic() },
      }),
      ...(service.usesLeadColumns === true && { withVariables: true }),
    });
    settings.saw(claim.settings);
    // Another process may have proved the service, and the claim took that into account: the answers must be judged by
    // the same fact. Claimed leads have to be dialled, so if this read fails they are only judged more strictly.
    if (!this.isProven && claim.intents.length > 0) {
      this.isProven = await store.isProven(fingerprint).catch(() => false);
    }
    return claim;
  }

  /** True while calls are open whose leads may wait again: the service may end them without ringing, or they are retried. */
  async someMayWaitAgain(): Promise<boolean> {
    const { store, service, campaign } = this.#options;
    const open = { service: service.name, campaignId: campaign.id, after: -1 };
    const endsUnrung = service.endsUnrung === true && (await store.nextPollAt(open)) !== null;
    return endsUnrung || (await store.someMayWaitAgain(campaign.id));
  }
}
