import { createHash } from 'node:crypto';
import type { Clock } from '../../../src/runtime/clock.ts';
import { seededRandom, type Random } from '../../../src/runtime/random.ts';
import type {
  Phase,
  ProviderCall,
  ProviderOptions,
  ProviderOutcome,
  Trouble,
  HttpClient,
} from './provider.ts';

export interface ProviderAgent {
  id: string;
  name: string;
  createdAt: number;
}

/** JSON has no infinity. */
const UNLIMITED = 10_000;

type Dialled = Pick<ProviderCall, 'phone' | 'agentId' | 'from' | 'variables' | 'metadata'> & {
  trouble?: ProviderCall['trouble'];
};

/** What the account of a provider holds: agents and calls, without their wire. */
export class Book {
  readonly clock: Clock;
  readonly agents: ProviderAgent[];
  readonly calls: ProviderCall[] = [];
  readonly #options: Required<Omit<ProviderOptions, 'capacity'>> & { capacity: number };
  readonly #dials = new Map<string, number>();
  readonly #wire: HttpClient;
  readonly #byId = new Map<string, ProviderCall>();
  /** Told of each call before its dial is answered; what it returns is awaited. */
  onPlaced: (call: ProviderCall) => Promise<void> = () => Promise.resolve();
  /** Whether this call is to be over in no time. */
  isInstant: (ordinal: number) => boolean = () => false;

  constructor(wire: HttpClient, options: ProviderOptions & { clock: Clock }) {
    const defaults = {
      seed: 'spring',
      callMs: 200,
      lagMs: 100,
      agentCount: 3,
      capacity: Infinity,
      trouble: () => null,
    };
    this.#options = { ...defaults, ...options };
    this.#wire = wire;
    this.clock = options.clock;
    this.agents = Array.from({ length: this.#options.agentCount }, (_, index) => ({
      id: wire.agentId(index),
      name: `Agent ${index + 1}`,
      createdAt: options.clock.now() - (index + 1) * 60_000,
    }));
  }

  get isFull(): boolean {
    return this.inProgress >= this.#options.capacity;
  }

  get inProgress(): number {
    const now = this.clock.now();
    return this.calls.filter((call) => call.endedAt > now).length;
  }

  /** As it is told to whoever asks. */
  get capacity(): number {
    return Math.min(this.#options.capacity, UNLIMITED);
  }

  hasAgent(id: unknown): boolean {
    return this.agents.some((agent) => agent.id === id);
  }

  call(id: string): ProviderCall | undefined {
    return this.#byId.get(id);
  }

  /** What goes wrong with the dial to this number that has just come; to be asked once a dial. */
  troubleOf(phone: string): Trouble | null {
    const nth = this.#dials.get(phone) ?? 0;
    this.#dials.set(phone, nth + 1);
    const trouble = this.#options.trouble(phone, nth);
    return trouble !== null && this.#wire.troubles.includes(trouble) ? trouble : null;
  }

  phaseOf(call: ProviderCall): Phase {
    const now = this.clock.now();
    if (now >= call.settledAt) return 'settled';
    if (now >= call.endedAt) return 'ended';
    if (call.answeredAt !== null && now >= call.answeredAt) return 'in_progress';
    return now > call.placedAt ? 'ringing' : 'queued';
  }

  /** The phone rings. */
  async place(dialled: Dialled): Promise<ProviderCall> {
    const ordinal = this.calls.length;
    const call = this.#draw(dialled, ordinal);
    this.calls.push(call);
    this.#byId.set(call.callId, call);
    await this.onPlaced(call);
    return call;
  }

  #draw(dialled: Dialled, ordinal: number): ProviderCall {
    const { seed, callMs, lagMs } = this.#options;
    const { outcomes, tells } = this.#wire;
    // By number, not by turn: what becomes of somebody does not depend on who was dialled before.
    const random = seededRandom(`${seed}/${dialled.phone}`);
    const { trouble = null } = dialled;
    const outcome = trouble === null ? drawOutcome(outcomes, random) : 'failed';
    const talked = outcome === 'answered' || outcome === 'voicemail';
    const durationS = talked ? 5 + Math.floor(random() * 115) : 0;
    const sentiment = talked ? choose(['positive', 'neutral', 'negative'] as const, random) : null;
    const turns = talked ? conversation(outcome, random) : [];
    const placedAt = this.clock.now();
    const lineMs = this.isInstant(ordinal) ? 0 : Math.round(callMs * (0.5 + random()));
    const endedAt = placedAt + lineMs;
    return {
      ...dialled,
      trouble,
      rang: trouble === null,
      callId: this.#wire.callId(ordinal),
      ordinal,
      outcome,
      durationS,
      sentiment: tells.sentiment ? sentiment : null,
      transcript: tells.transcript
        ? turns.map(({ role, text }) => `${role}: ${text}`).join('\n')
        : '',
      summary: tells.summary && talked ? `Spoke for ${durationS} s.` : null,
      costUsd:
        tells.cost === 'always' || (talked && tells.cost === 'answered')
          ? Math.round(durationS * 0.2) / 100
          : null,
      turns,
      placedAt,
      answeredAt: talked ? placedAt + Math.round(lineMs / 4) : null,
      endedAt,
      settledAt: endedAt + (lineMs === 0 ? 0 : lagMs),
    };
  }
}

/** When the line went down by what the provider says: so long after its start as was talked, however fast time runs here. */
export function endOf({ answeredAt, endedAt, durationS }: ProviderCall): number {
  return answeredAt === null ? endedAt : answeredAt + durationS * 1_000;
}

/** A made-up id of 32 hex digits, as a UUID if wanted. */
export function hexId(what: string, ordinal: number): string {
  return createHash('sha256').update(`${what} ${ordinal}`).digest('hex').slice(0, 32);
}

export function uuid(what: string, ordinal: number): string {
  return hexId(what, ordinal).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

const WEIGHTS: Record<ProviderOutcome, number> = {
  answered: 50,
  voicemail: 20,
  no_answer: 15,
  busy: 8,
  failed: 7,
};

function drawOutcome(outcomes: readonly ProviderOutcome[], random: Random): ProviderOutcome {
  let left = random() * outcomes.reduce((sum, outcome) => sum + WEIGHTS[outcome], 0);
  for (const outcome of outcomes) {
    left -= WEIGHTS[outcome];
    if (left < 0) return outcome;
  }
  return 'answered';
}

function choose<T>(items: readonly [T, ...T[]], random: Random): T {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

function conversation(outcome: ProviderOutcome, random: Random): ProviderCall['turns'] {
  if (outcome === 'voicemail') {
    return [
      { role: 'person', text: 'Please leave a message after the tone.' },
      { role: 'agent', text: 'I will try again another time. Goodbye.' },
    ];
  }
  const turns: ProviderCall['turns'] = [{ role: 'agent', text: 'Hello, do you have a moment?' }];
  const answers = ['Yes, go ahead.', 'Señor López is "out".', 'Not now, sorry.'] as const;
  for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
    turns.push({ role: 'person', text: choose(answers, random) });
    turns.push({ role: 'agent', text: choose(['I see.', 'Thank you, noted.'], random) });
  }
  return turns;
}
