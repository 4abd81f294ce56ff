import type { Random } from '../../../src/runtime/random.ts';
import type { Dial, DialAnswer, VoiceService } from '../../../src/service/port.ts';
import {
  neverSent,
  placed,
  refused,
  rejected,
  unknown,
} from '../../helpers/services/service-double.ts';
import { endingsOf } from '../calling/endings.ts';
import { analyticsOf } from './analytics.ts';
import type { Call, Ledger, Request } from './ledger.ts';
import { callListOf } from './lists.ts';
import type { DialFault, Plan } from '../plan.ts';
import type { Process } from './process.ts';
import type { Sender } from './sender.ts';

/** How long the client waits for an answer. */
const TIMEOUT_MS = 5_500;
const CONNECT_MS = 30;
/** So long after its claim a dial may still leave. */
const PERMIT_MS = 5_000;

export interface ServiceWorld {
  plan: Plan;
  now(): number;
  isCalm: boolean;
  random: Random;
  /** A request leaves: the last moment at which it can be seen whether it was allowed. */
  onSend(dial: Dial): void;
  /** Epoch ms. */
  wall(): number;
  /** Undefined: the service sends nothing by itself. */
  sender: Sender | undefined;
}

/** The remote service, one for all processes, and the wire to it with its faults. */
export class FaultyService {
  readonly ledger: Ledger = {
    requests: [],
    calls: [],
    unrung: [],
    denied: new Map(),
    found: new Map(),
    inVain: [],
    mostCalls: 0,
    answers: new Set(),
    given: new Set(),
    told: new Set(),
  };
  readonly #world: ServiceWorld;
  /** When a process was told of the outage, which is the only one, ms. */
  readonly #knownDownAt = new Map<Process, number>();
  readonly #endings: () => Pick<Call, 'outcome' | 'callbackAt'>;

  constructor(world: ServiceWorld) {
    this.#world = world;
    this.#endings = endingsOf(world);
  }

  /** The service as one process sees it. */
  seenBy(process: Process): VoiceService {
    const { idempotentForMs: forMs, lists } = this.#world.plan;
    return {
      ...(forMs !== null && { idempotency: { forMs, account: 'main' } }),
      name: 'main',
      url: 'http://127.0.0.1',
      fingerprint: 'main-1',
      startCall: (dial, permit) => this.#startCall(process, dial, permit),
      endsUnrung: true,
      readAnalytics: async (callId) => {
        const down = this.#outage();
        if (down === undefined) return analyticsOf(callId, this.ledger, this.#world, process);
        await process.clock.sleep(down === 'hangs' ? TIMEOUT_MS : 20);
        return { kind: 'failed', detail: 'HTTP 503', retryAfterMs: null, keyRefused: false };
      },
      callList: lists === null ? null : callListOf(this.ledger, this.#world, process),
      probe: async () => {
        const down = this.#outage();
        await process.clock.sleep(down === 'hangs' ? TIMEOUT_MS : 20);
        if (down === undefined) return { ok: true };
        return { ok: false, why: 'the service is down', keyRefused: false };
      },
      listAgents: () => Promise.reject(new Error('not asked for here')),
      createAgent: () => Promise.reject(new Error('not asked for here')),
      close: () => Promise.resolve(),
    };
  }

  async #startCall(process: Process, dial: Dial, permit: () => boolean): Promise<DialAnswer> {
    await process.reach();
    const fault = this.#drawFault();
    if (this.#outage() === 'refuses') {
      await process.clock.sleep(CONNECT_MS);
      return this.#tell(process, dial, neverSent('connection'), 0);
    }
    await process.clock.sleep(fault === 'slowConnect' ? 6_000 : CONNECT_MS);
    if (fault === 'notConnected') return this.#tell(process, dial, neverSent('connection'), 0);
    if (!permit()) return this.#tell(process, dial, neverSent('permit'), 0);
    this.#world.onSend(dial);
    const { phone, attemptKey: key } = dial;
    const at = this.#world.now();
    const request = { at, phone, key, provedWithoutEffect: false };
    this.ledger.requests.push(request);
    const { answer, afterMs } =
      this.#answerInOutage(request, process) ??
      this.#endsUnrung(dial, request, fault) ??
      this.#answerTo(dial, fault);
    await process.reach();
    const told = await this.#tell(process, dial, answer, afterMs);
    request.provedWithoutEffect ||= isProof(told);
    return told;
  }

  async #tell(
    process: Process,
    dial: Dial,
    answer: DialAnswer,
    afterMs: number,
  ): Promise<DialAnswer> {
    await process.clock.sleep(afterMs);
    this.ledger.answers.add(dial.attemptKey);
    await process.reach();
    return answer;
  }

  #outage(): Plan['outages'][number]['how'] | undefined {
    const { plan, isCalm } = this.#world;
    const now = this.#world.now();
    return isCalm ? undefined : plan.outages.find(({ from, to }) => now >= from && now < to)?.how;
  }

  /** Nothing rings; who asked cannot know it. */
  #answerInOutage(request: Request, process: Process) {
    const how = this.#outage();
    if (how === undefined) return null;
    const known = this.#knownDownAt.get(process);
    if (known !== undefined && request.at > known + PERMIT_MS) this.ledger.inVain.push(request);
    const afterMs = how === 'hangs' ? TIMEOUT_MS : 20;
    this.#knownDownAt.set(process, Math.min(known ?? Infinity, request.at + afterMs));
    return { answer: how === 'hangs' ? unknown() : unknown(503), afterMs };
  }

  /** Now and then it takes a call and ends it at once; asked again under the same key, it knows that call. */
  #endsUnrung(dial: Dial, request: Request, fault: DialFault | 'none') {
    const { plan, isCalm, random } = this.#world;
    const { unrung } = this.ledger;
    if (this.#known(dial) !== undefined) return null;
    const isKnown = (plan.idempotentForMs ?? 0) > 0;
    let call = isKnown ? unrung.find(({ key }) => key === request.key) : undefined;
    if (call === undefined) {
      if (fault !== 'none' || plan.unrung === 0 || isCalm || random() >= plan.unrung) return null;
      call = { callId: `unrung_${unrung.length + 1}`, key: request.key };
      unrung.push(call);
    }
    return { answer: placed(call.callId), afterMs: 20 };
  }

  #answerTo(dial: Dial, fault: DialFault | 'none'): { answer: DialAnswer; afterMs: number } {
    const storm = this.#world.isCalm
      ? undefined
      : this.#world.plan.storms.find(
          ({ from, to }) => this.#world.now() >= from && this.#world.now() < to,
        );
    if (storm !== undefined) return { answer: refused(storm.retryAfterMs), afterMs: 20 };
    switch (fault) {
      case 'lostRequest':
        return { answer: unknown(), afterMs: TIMEOUT_MS };
      case 'refused':
        return { answer: refused(), afterMs: 20 };
      case 'serverError':
        return { answer: unknown(500), afterMs: 20 };
      case 'rejected':
        return { answer: rejected(422), afterMs: 20 };
      case 'keyRefused':
        return { answer: rejected(401), afterMs: 20 };
      case 'none':
      case 'notConnected':
      case 'slowConnect':
      case 'lostResponse':
      case 'slowAnswer':
      case 'truncated':
      case 'rungServerError': {
        const callId = this.#known(dial)?.callId ?? this.#ring(dial);
        if (fault === 'lostResponse') return { answer: unknown(), afterMs: TIMEOUT_MS };
        if (fault === 'truncated') return { answer: unknown(200), afterMs: 20 };
        if (fault === 'rungServerError') return { answer: unknown(503), afterMs: 20 };
        if (fault === 'slowAnswer') return this.#slowly(callId);
        return { answer: placed(callId), afterMs: 20 + Math.floor(this.#world.random() * 400) };
      }
    }
  }

  /** Slower than the client waits, or only just in time. */
  #slowly(callId: string): { answer: DialAnswer; afterMs: number } {
    if (this.#world.random() < 0.5) return { answer: unknown(), afterMs: TIMEOUT_MS };
    return { answer: placed(callId), afterMs: TIMEOUT_MS - 1 };
  }

  #drawFault(): DialFault | 'none' {
    let draw = this.#world.random();
    if (this.#world.isCalm) return 'none';
    for (const [fault, share] of Object.entries(this.#world.plan.dials) as [DialFault, number][]) {
      draw -= share;
      if (draw < 0) return fault;
    }
    return 'none';
  }

  /** The call that it has made for this key, where it promises to know it. */
  #known({ attemptKey }: Dial): Call | undefined {
    const forMs = this.#world.plan.idempotentForMs ?? 0;
    const since = this.#world.now() - forMs;
    return this.ledger.calls.find(({ key, at }) => key === attemptKey && at > since);
  }

  #ring({ phone, attemptKey: key, agent }: Dial): string {
    const { random } = this.#world;
    const { late, never, unreadable } = this.#world.plan.analytics;
    const at = this.#world.now();
    const { calls } = this.ledger;
    const name = `call_${calls.length + 1}`;
    const callId = this.#idOf(name);
    const endsAt = at + 200 + Math.floor(random() * 2_000);
    const lag = random() < never ? Infinity : random() < late ? random() * 16_000 : random() * 600;
    const isUnreadable = random() < unreadable;
    const startedAt = this.#world.wall();
    const endedAt = startedAt + endsAt - at;
    const call = {
      ...{ name, callId, phone, key, agent, at, startedAt },
      endsAt,
      endedAt,
      analyticsAt: endsAt + lag,
      isUnreadable,
      ...this.#endings(),
    };
    calls.push(call);
    this.#world.sender?.tellOf(call);
    const inProgress = calls.filter((call) => call.endsAt > at).length;
    this.ledger.mostCalls = Math.max(this.ledger.mostCalls, inProgress);
    return callId;
  }

  /** Its own, or one that it has given before. */
  #idOf(name: string): string {
    const { plan, isCalm, random } = this.#world;
    const { calls } = this.ledger;
    if (plan.lies.ids === 0 || isCalm || calls.length === 0) return name;
    if (random() >= plan.lies.ids) return name;
    return calls[Math.floor(random() * calls.length)]?.callId ?? name;
  }
}

/** Nothing happened; a 4xx that pauses the campaign proves it, too, and gives its lead back. */
function isProof({ kind }: DialAnswer): boolean {
  return kind === 'refused' || kind === 'neverSent' || kind === 'rejected';
}
