import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../../src/runtime/clock.ts';
import type { Book } from './book.ts';

/** Providers that can be stood in for. */
export const PROVIDERS = [
  'vapi',
  'retell',
  'elevenlabs',
  'bland',
  'bolna',
  'twilio',
  'synthflow',
  'telnyx',
  'ultravox',
  'vogent',
  'cartesia',
] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** What became of a call, in one vocabulary for all providers. */
export type ProviderOutcome = 'answered' | 'voicemail' | 'no_answer' | 'busy' | 'failed';

/**
 * What goes wrong with a dial that has nothing to do with the person who is called. `money` and `configuration`: the
 * dial itself is refused with the provider's own words. `ended_full` and `ended_unpaid`: it is taken, and the call
 * ends without ringing, for want of a free line and for want of money.
 */
export const TROUBLES = ['money', 'configuration', 'ended_full', 'ended_unpaid'] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface ProviderOptions {
  /** Asked at every dial; `nth` counts the dials to this number from 0. Default: all is well. */
  trouble?: (phone: string, nth: number) => Trouble | null;
  /** Default: the machine's. */
  clock?: Clock;
  /** Outcomes, lengths and words follow from it. Default `spring`. */
  seed?: string;
  /** From the dial to the end of the line, ms; every call's own is 0.5 to 1.5 of it. Default 200. */
  callMs?: number;
  /** From the end of the line to the analysis, ms. Default 100. */
  lagMs?: number;
  /** Calls at once; above it the provider's own refusal. Default: no limit. */
  capacity?: number;
  /** Agents that the account has. Default 3. */
  agentCount?: number;
}

/** Shares (0 to 1) of events that meet a fault; one at most each. */
export interface EventFaults {
  lost?: number;
  repeated?: number;
  /** The call is over in no time, and its events are there before the dial's own answer. */
  early?: number;
  /** Held back for a second, so that later ones overtake it. */
  late?: number;
}

export interface EventTarget {
  url: string;
  /** Default: `webhookSecret`. */
  secret?: string;
  faults?: EventFaults;
}

/** One call, as the provider knows that it was. */
export interface LedgerCall {
  phone: string;
  callId: string;
  agentId: string;
  outcome: ProviderOutcome;
  /** Whole seconds talked; 0 if nobody answered. */
  durationS: number;
  /** null where nobody answered, or reading a call never tells one. */
  sentiment: 'positive' | 'neutral' | 'negative' | null;
  /** Lines `agent: ...` and `person: ...`; empty where nobody answered, or the provider never tells one. */
  transcript: string;
  /** null where the provider never tells one. */
  summary: string | null;
  /** null where nobody answered and the provider tells no cost then. */
  costUsd: number | null;
  /** What the dial carried beside number and agent, as it came. */
  variables: Record<string, unknown>;
  metadata: Record<string, unknown>;
  /** False for a call that was taken and ended without ringing. */
  rang: boolean;
}

export interface Provider {
  readonly name: ProviderName;
  /** Base address, without a trailing slash and without what the profile's paths hold. */
  readonly url: string;
  /** As the operator has it: the API key, or `sid:token` where the provider has Basic auth. */
  readonly key: string;
  /** An agent of the account, by what a dial names it with. */
  readonly agent: string;
  /** What a dial names as the caller: a number, or the id of one. */
  readonly from: string;
  /** Of the account, as services.yaml has them. */
  readonly ids: Readonly<Record<string, string>>;
  /** Signs events (or, of a key pair, the public half); null: the provider signs nothing. */
  readonly webhookSecret: string | null;
  /** Every call, in the order of the dials. */
  ledger(): LedgerCall[];
  /** Every request, in the order of coming, as `GET /call/1`. */
  requests(): readonly string[];
  /** Requests that the provider's published schema does not allow, each with what is wrong. */
  invalid(): readonly string[];
  /** null: to nobody any more. Calls that were placed before stay untold. */
  sendWebhooksTo(target: EventTarget | null): void;
  close(): Promise<void>;
}

/** A call of any provider: its stamps (epoch ms) say what it is at any time. */
export interface ProviderCall extends LedgerCall {
  from: string;
  ordinal: number;
  placedAt: number;
  /** null: nobody did. */
  answeredAt: number | null;
  endedAt: number;
  settledAt: number;
  turns: { role: 'agent' | 'person'; text: string }[];
  /** What ends it without ringing; null: it rings. */
  trouble: Extract<Trouble, 'ended_full' | 'ended_unpaid'> | null;
}

export type Phase = 'queued' | 'ringing' | 'in_progress' | 'ended' | 'settled';

/** Something that a provider posts of its own accord. */
export interface ProviderEvent {
  /** Epoch ms. */
  at: number;
  /** The phase that it tells; its body is made when it is sent. */
  phase: Phase;
  /** Where to, if the dial itself said so. */
  url?: string;
}

/** How one provider speaks. */
export interface HttpClient {
  readonly key: string;
  readonly from: string;
  /** Of the account, by their names in the profile's paths. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly webhookSecret: string | null;
  readonly outcomes: readonly ProviderOutcome[];
  /** Those that its published documents know. */
  readonly troubles: readonly Trouble[];
  /** What reading one call brings to light. */
  readonly tells: {
    sentiment: boolean;
    transcript: boolean;
    summary: boolean;
    /** `answered`: of calls that somebody or something answered only. */
    cost: 'always' | 'answered' | 'never';
  };
  agentId(ordinal: number): string;
  callId(ordinal: number): string;
  routes(app: FastifyInstance, book: Book): void;
  events(call: ProviderCall): ProviderEvent[];
  /** The bytes of an event and the headers besides its length. */
  message(
    call: ProviderCall,
    event: ProviderEvent,
    signing: { secret: string; url: string; now: number },
  ): { body: string; headers: Record<string, string> };
}
