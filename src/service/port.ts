import type { Person } from '../domain/lists/person.ts';
import type { E164 } from '../domain/phone.ts';

import type { FoundCall } from './calls/found-call.ts';

export type * from './webhooks/delivery.ts';

/** The remote voice-agent service, as the stages see it. */
export interface VoiceService {
  /** Its name in services.yaml, `simulated`, or the address it was given by. */
  readonly name: string;
  /** Its base address, without a trailing slash. */
  readonly url: string;
  /** Identity of "this service, this profile": changes when the address or the profile does. */
  readonly fingerprint: string;
  /**
   * Where the service promises to answer one key with one call; left out: it does not, and nothing is ever
   * sent again. `account` changes with the dial's address and the key that is sent: elsewhere it would be a new call.
   */
  readonly idempotency?: { forMs: number; account: string };
  /** True when the profile puts something of the lead's row into the dial. */
  readonly usesLeadColumns?: boolean;
  /**
   * Reads all pages of agents.
   * @throws AppError `SERVICE_KEY_REFUSED` (exit 4), `SERVICE_UNREACHABLE`, `SERVICE_ANSWER_UNEXPECTED`
   */
  listAgents(): Promise<AgentList>;
  /** @throws AppError as `listAgents`, and `SERVICE_REFUSED` with the service's field-level message */
  createAgent(agent: NewAgent): Promise<Agent>;
  /**
   * Sends one dial, once. Never throws and never repeats: every way it can go is one of five answers.
   * @param permit asked just before the first byte; false leaves no byte on the wire
   */
  startCall(dial: Dial, permit: () => boolean): Promise<DialAnswer>;
  /** True when the profile knows calls that the service takes and ends without ringing: their leads wait again. */
  readonly endsUnrung?: boolean;
  /**
   * Reads the analytics of one call; repeats transient failures a few times. Never throws.
   * @param signal aborts when nobody waits for it any more: what is being read is given up
   */
  readAnalytics(callId: string, signal?: AbortSignal): Promise<PollResult>;
  /**
   * How many requests that are made now would be sent within `ms`, by the profile's limit of requests a
   * second; the others wait in line. Left out: all of them.
   */
  roomWithin?(ms: number): number;
  /**
   * Asks how many calls the service would take now; null when it did not say. Never throws. Left out: the
   * profile knows of no such operation.
   */
  freeSlots?(): Promise<number | null>;
  /**
   * One list instead of many looks; null where the profile knows none. `read` never throws, and ends with `signal`. `tellsOfDials`: it names
   * the idempotency keys of calls, or their numbers and times, so that a call whose answer was lost may be found.
   */
  readonly callList: {
    read(query: { since: number; signal?: AbortSignal | undefined }): Promise<CallListing>;
    readonly tellsOfDials: boolean;
  } | null;
  /** A harmless GET that tells whether the service works again. Never throws. */
  probe(): Promise<{ ok: true } | { ok: false; keyRefused: boolean; why: string }>;
  close(): Promise<void>;
}

export interface Agent {
  id: string;
  name: string | null;
  /** What it is to say and do; null where the service does not tell it in its list. */
  systemPrompt: string | null;
  /** All that the service told of it, as it came. */
  raw: unknown;
}

export interface AgentList {
  agents: Agent[];
  /** False when a page could not be followed or items carried no id we know: an absent agent proves nothing then. */
  complete: boolean;
  /** By which names of the profile the list was read, e.g. `id agent_id`; for messages. */
  readAs?: readonly string[];
}

export interface NewAgent {
  name: string;
  systemPrompt: string;
  /** Passed through as it is; the service documents no fields. */
  voice?: Record<string, unknown>;
}

export interface Dial {
  /** Sent as `Idempotency-Key`. */
  attemptKey: string;
  phone: E164;
  agent: string;
  /** The lead's cells by their column; only where `usesLeadColumns` asks for them. */
  variables?: Readonly<Record<string, string>> | null;
  /** What was recognised of the person in the lead's list; as `variables`. */
  person?: Person | null;
}

/** What came back of a dial, for messages and for the rules that pause a campaign. */
export interface DialEvidence {
  /** HTTP status, or null when no answer came. */
  status: number | null;
  /** One sentence for a person: what happened, what was looked for, the first 200 characters received (masked). */
  detail: string;
}

/**
 * The five answers of a dial.
 * `neverSent` and `refused` are proofs of no effect; `unknown` is everything that is not proved otherwise.
 */
export type DialAnswer =
  | ({ kind: 'placed'; callId: string } & DialEvidence)
  /**
   * `pause`: no other dial would fare better; the lead is given back and the campaign pauses. `named`: a word
   * of the profile says so, not the mere status.
   */
  | ({ kind: 'rejected'; pause?: true; named?: true } & DialEvidence)
  | ({ kind: 'refused'; retryAfterMs: number | null } & DialEvidence)
  | ({ kind: 'neverSent'; cause: 'permit' | 'connection' } & DialEvidence)
  | ({ kind: 'unknown' } & DialEvidence);

/** What one look at a call found. */
export type PollResult =
  | FoundCall
  /** An answer that is not what the profile expects; `raw` is kept, looks go on until the deadline. */
  | { kind: 'unreadable'; detail: string; raw: string }
  /** No usable answer: transport failure, 5xx, 429. */
  | { kind: 'failed'; detail: string; retryAfterMs: number | null; keyRefused: boolean };

/** Calls that were started at `since` or later (epoch ms), newest first or in the service's own order. */
export type CallListing =
  /** `complete`: false when a page or an entry could not be read; a call that is absent proves nothing then. */
  | { kind: 'listed'; calls: ListedCall[]; complete: boolean }
  | Extract<PollResult, { kind: 'failed' }>;

/** What a list says of one call. */
export interface ListedCall {
  callId: string;
  /** The number that was called, where the list has it and it is in E.164. */
  phone: E164 | null;
  /** What the dial carried as its idempotency key, where the list gives it back. */
  attemptKey: string | null;
  agent: string | null;
  /** Epoch ms. */
  startedAt: number | null;
  /** What a look would find; null: the list says nothing of the call's analytics, a look is needed. */
  found: Exclude<PollResult, { kind: 'failed' }> | null;
}
