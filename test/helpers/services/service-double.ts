import type { E164 } from '../../../src/domain/phone.ts';
import type {
  AgentList,
  Dial,
  DialAnswer,
  PollResult,
  VoiceService,
} from '../../../src/service/port.ts';
import type { VirtualClock } from '../clock.ts';
import { someAnalytics } from '../factory.ts';

/** What becomes of one dial; a placed call of five seconds unless told otherwise. */
export interface Script {
  /** Default: placed, with a call id of its own. */
  answer?: DialAnswer;
  /** Until the permit is asked, ms. Default 0. */
  connectMs?: number;
  /** From then to the answer, ms. Default 20. */
  answerMs?: number;
  /** Whether the phone rings. Default: when the answer is `placed`. */
  rings?: boolean;
  /** From the ring to the line being down, ms. Default 5,000. */
  talkMs?: number;
  /** From then to the analytics, ms. Default 0. */
  lagMs?: number;
}

export interface Call {
  callId: string;
  phone: E164;
  dial: Dial;
  startedAt: number;
  /** The line is down from then on. */
  endsAt: number;
  settledAt: number;
}

export interface DoubleOptions {
  clock: VirtualClock;
  name?: string;
  fingerprint?: string;
  /** What becomes of the n-th dial (from 0) that was asked for. */
  dial?: (dial: Dial, n: number) => Script;
  /** What the n-th poll (from 0) finds; undefined: the truth. */
  read?: (callId: string, n: number) => PollResult | undefined;
  /** How long a poll takes, ms. Default 10. */
  readMs?: number;
  probe?: (n: number) => Awaited<ReturnType<VoiceService['probe']>>;
  /** Calls at once; a dial above it is refused. Default: any number. */
  capacity?: number;
  /** It says how many calls it would take, when it is asked; null: it does not say. Default: nobody can ask. */
  freeSlots?: (n: number) => number | null;
  /** Retry-After of such a refusal, ms. Default 1,000. */
  retryAfterMs?: number;
  /** Its profile knows calls that it takes and ends without ringing. Default false. */
  endsUnrung?: boolean;
  /** It answers one key with one call, and its profile says so, for so long. Default: neither. */
  idempotentForMs?: number;
}

/**
 * A voice service that does as it is told. What it notes of phones and requests is the oracle of the tests:
 * it shares nothing with the program it observes.
 */
export class ServiceDouble implements VoiceService {
  readonly url = 'http://127.0.0.1';
  readonly name: string;
  readonly fingerprint: string;
  readonly callList = null;
  readonly endsUnrung: boolean;
  readonly idempotency?: { forMs: number; account: string };
  readonly freeSlots?: () => Promise<number | null>;
  /** When it was asked for them. */
  readonly slotsAskedAt: number[] = [];
  readonly calls: Call[] = [];
  /** Every dial that left, with the time at which it did. */
  readonly dials: (Dial & { at: number })[] = [];
  readonly polls: { callId: string; at: number; doneAt: number }[] = [];
  readonly probes: number[] = [];
  /** The most calls in progress and the most requests in flight that were ever seen. */
  mostCalls = 0;
  mostRequests = 0;
  mostDials = 0;
  /** See `DoubleOptions.capacity`; may be changed at any time. */
  capacity: number;
  /** When dials were refused for want of capacity. */
  readonly refusals: number[] = [];
  #options: DoubleOptions;
  /** The calls of keys that it knows. */
  readonly #callOfKey = new Map<string, string>();
  #startedAt: number;
  #asked = 0;
  #requests = 0;
  #dialsInFlight = 0;

  constructor(options: DoubleOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now() - options.clock.monotonic();
    this.name = options.name ?? 'main';
    this.fingerprint = options.fingerprint ?? `${this.name}-1`;
    this.capacity = options.capacity ?? Infinity;
    this.endsUnrung = options.endsUnrung ?? false;
    const { freeSlots } = options;
    if (freeSlots !== undefined) this.freeSlots = () => this.#tellSlots(freeSlots);
    const { idempotentForMs: forMs } = options;
    if (forMs !== undefined) this.idempotency = { forMs, account: `${this.name}-account` };
  }

  /** How often each phone rang. */
  rings(): Map<E164, number> {
    const rings = new Map<E164, number>();
    for (const { phone } of this.calls) rings.set(phone, (rings.get(phone) ?? 0) + 1);
    return rings;
  }

  /** Calls in progress now. */
  get inProgress(): number {
    return this.calls.filter(({ endsAt }) => endsAt > this.#time()).length;
  }

  async startCall(dial: Dial, permit: () => boolean): Promise<DialAnswer> {
    const { clock } = this.#options;
    return this.#inFlight(async () => {
      const script = this.#options.dial?.(dial, this.#asked++) ?? {};
      await clock.sleep(script.connectMs ?? 0);
      if (script.answer?.kind === 'neverSent') return script.answer;
      if (!permit()) return neverSent('permit');
      this.#dialsInFlight += 1;
      this.mostDials = Math.max(this.mostDials, this.#dialsInFlight);
      this.dials.push({ ...dial, at: this.#time() });
      const known = this.idempotency && this.#callOfKey.get(dial.attemptKey);
      const answer = script.answer ?? (known === undefined ? this.#takeOrRefuse() : placed(known));
      if (known === undefined && (script.rings ?? answer.kind === 'placed')) {
        this.#callOfKey.set(dial.attemptKey, this.#ring(dial, answer, script));
      }
      await clock.sleep(script.answerMs ?? 20);
      this.#dialsInFlight -= 1;
      return answer;
    });
  }

  async readAnalytics(callId: string): Promise<PollResult> {
    const { clock, read, readMs } = this.#options;
    return this.#inFlight(async () => {
      const look = { callId, at: this.#time(), doneAt: Infinity };
      const n = this.polls.push(look) - 1;
      await clock.sleep(readMs ?? 10);
      look.doneAt = this.#time();
      return read?.(callId, n) ?? this.truth(callId);
    });
  }

  async probe(): ReturnType<VoiceService['probe']> {
    this.probes.push(this.#time());
    return this.#options.probe?.(this.probes.length - 1) ?? { ok: true };
  }

  listAgents = (): Promise<AgentList> => Promise.reject(new Error('not asked for here'));
  createAgent = () => Promise.reject(new Error('not asked for here'));
  close = () => Promise.resolve();

  /** The caller's machine sleeps for so long, and the service goes on. */
  goOnAlone(ms: number): void {
    this.#startedAt += ms;
  }

  /** Its own wall clock, which nobody sets. */
  #time(): number {
    return this.#startedAt + this.#options.clock.monotonic();
  }

  async #tellSlots(freeSlots: NonNullable<DoubleOptions['freeSlots']>): Promise<number | null> {
    this.slotsAskedAt.push(this.#time());
    await this.#options.clock.sleep(50);
    return freeSlots(this.slotsAskedAt.length - 1);
  }

  #takeOrRefuse(): DialAnswer {
    if (this.inProgress < this.capacity) return placed(`call_${this.name}_${this.dials.length}`);
    this.refusals.push(this.#time());
    return refused(this.#options.retryAfterMs ?? 1_000);
  }

  #ring(dial: Dial, answer: DialAnswer, { talkMs = 5_000, lagMs = 0 }: Script): string {
    const [startedAt, endsAt] = [this.#time(), this.#time() + talkMs];
    const callId = answer.kind === 'placed' ? answer.callId : `lost_${this.dials.length}`;
    const times = { startedAt, endsAt, settledAt: endsAt + lagMs };
    this.calls.push({ callId, phone: dial.phone, dial, ...times });
    this.mostCalls = Math.max(this.mostCalls, this.inProgress);
    return callId;
  }

  /** What a poll of the call finds now. */
  truth(callId: string): Exclude<PollResult, { kind: 'failed' }> {
    const call = this.calls.find((other) => other.callId === callId);
    if (call === undefined) throw new Error(`nobody was given the call id ${callId}`);
    const now = this.#time();
    if (now < call.endsAt) return { kind: 'pending' };
    if (now < call.settledAt) return { kind: 'ended' };
    const analytics = someAnalytics({ summary: callId, durationMs: call.endsAt - call.startedAt });
    return { kind: 'settled', analytics, result: null };
  }

  async #inFlight<T>(request: () => Promise<T>): Promise<T> {
    this.#requests += 1;
    this.mostRequests = Math.max(this.mostRequests, this.#requests);
    try {
      return await request();
    } finally {
      this.#requests -= 1;
    }
  }
}

export const placed = (callId: string): DialAnswer => ({
  kind: 'placed',
  callId,
  status: 200,
  detail: 'HTTP 200',
});
export const rejected = (status = 422, detail = `HTTP ${status}`): DialAnswer => ({
  kind: 'rejected',
  status,
  detail,
});
export const refused = (retryAfterMs: number | null = null): DialAnswer => ({
  kind: 'refused',
  retryAfterMs,
  status: 429,
  detail: 'HTTP 429',
});
export const neverSent = (cause: 'permit' | 'connection' = 'connection'): DialAnswer => ({
  ...{ kind: 'neverSent', cause },
  status: null,
  detail: 'nothing was sent',
});
/** No status: a timeout or a reset. */
export const unknown = (status: number | null = null): DialAnswer => ({
  kind: 'unknown',
  status,
  detail: `no usable answer (${status ?? 'none'})`,
});

/** Settings that keep `concurrency` calls going. */
export const busy = (concurrency: number) => ({ concurrency, requests: concurrency });

/** All kinds of answers, the same ones every time; of a hundred dials two are lost, and one of them rings. */
export function mixedAnswers(): NonNullable<DoubleOptions['dial']> {
  return (_, n) => {
    const talkMs = 300 + ((n * 737) % 2_000);
    if (n % 10 === 3) return { answer: rejected(422, `HTTP 422, field ${'abc'[n % 3]}`) };
    if (n % 40 === 5) return { answer: refused() };
    if (n % 50 === 7) return { answer: unknown(), rings: n % 100 === 7, talkMs };
    return { talkMs, lagMs: (n % 3) * 700 };
  };
}
