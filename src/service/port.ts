import type { Person } from '../domain/lists/person.ts';
import type { UnknownWord } from '../domain/lead.ts';
import type { E164 } from '../domain/phone.ts';

import type { FoundCall } from './calls/spoken.ts';

export type * from './webhooks/delivery.ts';

/** The remote voice-agent service, as the stages see it. */
export interface VoiceService {
  /** The service's name in services.yaml, `simulated`, or the address that was given in place of a name. */
  readonly name: string;
  /** The service's base address, without a trailing slash. */
  readonly url: string;
  /** Identity of "this service, this profile": changes when the address or the profile does. */
  readonly fingerprint: string;
  /**
   * Set if the service promises that dials with the same idempotency key make one call; otherwise no dial is ever
   * replayed. `forMs` is how long the promise holds. `account` is a hash of the dial's address and the API key: sent to
   * another account, a replay would be a new call.
   */
  readonly idempotency?: { forMs: number; account: string };
  /** True when the profile puts columns of the lead's row into the dial. */
  readonly usesLeadColumns?: boolean;
  /** Reads all pages of agents. */
  listAgents(): Promise<AgentList>;
  /** @throws AppError as `listAgents`, and `SERVICE_REFUSED` with the service's field-level message */
  createAgent(agent: NewAgent): Promise<Agent>;
  /**
   * Sends one dial, once. Never throws and never retries: every outcome is one of five answers.
   * @param permit called just before the first byte is sent; if it returns false, nothing is sent
   */
  startCall(dial: Dial, permit: () => boolean): Promise<DialAnswer>;
  /** The request that `startCall` would send, without headers; sends nothing. Undefined: it sends none over HTTP. */
  requestOf?(dial: Dial): DialRequest;
  /** True when the profile maps a word of the service to "ended without ringing anybody"; those leads wait again. */
  readonly endsUnrung?: boolean;
  /**
   * Polls one call; retries transient failures a few times. Never throws.
   * @param signal aborts when the result is no longer needed
   * @param of whose call it is: a profile's path may name the agent or the number
   */
  readAnalytics(callId: string, signal?: AbortSignal, of?: CallOwner): Promise<PollResult>;
  /** How many polls (or dials) would pass the rate limiter within `ms`. Undefined: there is no rate limit. */
  roomWithin?(ms: number, what?: 'read' | 'dial'): number;
  /** Requests a second that it bears, by its profile and by what it has refused. Undefined, Infinity: not known. */
  requestRate?(): number;
  /** True just after a refusal for the rate of requests. Undefined: there is no rate limit. */
  isTooFast?(): boolean;
  /**
   * How many calls the service would accept now; null: unknown. Never throws. Undefined: the profile has no such
   * operation.
   */
  freeSlots?(): Promise<number | null>;
  /**
   * Reads one list of calls in place of many polls; null: the profile describes none. `read` never throws. `of`: whose
   * calls are wanted, where each agent or number has its own list. `byNumber`: each number has its own list, so lists
   * save no polls. `tellsOfDials`: the list has idempotency keys, or numbers and times, so it may contain a call whose
   * dial was not answered.
   */
  readonly callList: {
    read(query: {
      since: number;
      of?: readonly CallOwner[];
      signal?: AbortSignal | undefined;
    }): Promise<CallListing>;
    readonly byNumber?: boolean;
    readonly tellsOfDials: boolean;
  } | null;
  /** A harmless GET that shows whether the service works again. Never throws. */
  probe(): Promise<{ ok: true } | { ok: false; keyRefused: boolean; why: string }>;
  close(): Promise<void>;
}

export interface Agent {
  id: string;
  name: string | null;
  /** The agent's instructions; null if the service's list does not include them. */
  systemPrompt: string | null;
  /** The agent's JSON as the service sent it. */
  raw: unknown;
}

export interface AgentList {
  agents: Agent[];
  /** False when a page or an id could not be read: an agent that is missing here may then exist all the same. */
  complete: boolean;
  /** Which of the profile's candidate fields were found in the answer, e.g. `id agent_id`; for messages. */
  readAs?: readonly string[];
}

export interface NewAgent {
  name: string;
  systemPrompt: string;
  /** Passed through unchanged, because the service documents no fields for it. */
  voice?: Record<string, unknown>;
}

/** What a call was dialled with; a service's paths may name it. */
export interface CallOwner {
  agent: string;
  phone: string;
}

export interface Dial {
  /** Sent as `Idempotency-Key`. */
  attemptKey: string;
  phone: E164;
  agent: string;
  /** The lead's cells by column name; set only if `usesLeadColumns` is true. */
  variables?: Readonly<Record<string, string>> | null;
  /** The person's fields as recognised in the lead's list; set only if `usesLeadColumns` is true. */
  person?: Person | null;
}

/** The request of a dial; `body` is null where the row lacks a value that it needs, and `problem` says which. */
export interface DialRequest {
  method: string;
  url: string;
  body: string | null;
  problem: string | null;
}

/** What came back from a dial, for messages and for the rules that pause a campaign. */
export interface DialEvidence {
  /** HTTP status, or null when no answer came. */
  status: number | null;
  /** One sentence for the operator: what happened, what was looked for, the first 200 characters received (masked). */
  detail: string;
  /** The lines of a profile that would read more of the answer, for a pause; left out or empty: none. */
  hint?: string;
}

/**
 * The five answers of a dial. `neverSent` and `refused` prove that no call was made; `unknown` is everything that is
 * not proved otherwise.
 */
export type DialAnswer =
  | ({ kind: 'placed'; callId: string } & DialEvidence)
  /**
   * `pause`: every other dial would be rejected too, so the lead is given back and the campaign pauses. `named`: an
   * error word of the profile says so, not only the status. `invalidNumber`: no phone has this number.
   */
  | ({ kind: 'rejected'; pause?: true; named?: true; invalidNumber?: true } & DialEvidence)
  | ({ kind: 'refused'; retryAfterMs: number | null } & DialEvidence)
  | ({ kind: 'neverSent'; cause: 'permit' | 'connection' } & DialEvidence)
  | ({ kind: 'unknown' } & DialEvidence);

export type PollResult =
  | FoundCall
  /** An answer that does not match the profile; `raw` is kept, and polling goes on until the deadline. */
  | { kind: 'unreadable'; detail: string; raw: string; unknown?: readonly UnknownWord[] }
  /** No usable answer: transport failure, 5xx, 429. `works`: a 4xx, which a service gives that works. */
  | ({ kind: 'failed'; detail: string } & {
      retryAfterMs: number | null;
      keyRefused: boolean;
      works?: true;
    });

/** Calls that were started at `since` or later (epoch ms), newest first or in the service's own order. */
export type CallListing = (
  | /** `complete`: false when a page or an entry could not be read; then a missing call may exist all the same. */
    { kind: 'listed'; calls: ListedCall[]; complete: boolean }
  | Extract<PollResult, { kind: 'failed' }>
) & {
  /** Whether the list that holds this owner's calls was read; left out: one list holds all calls. */
  covers?: (owner: CallOwner) => boolean;
};

export interface ListedCall {
  callId: string;
  /** The number that was called; null if the list does not give it in E.164. */
  phone: E164 | null;
  /** The dial's idempotency key; null if the list does not give it. */
  attemptKey: string | null;
  agent: string | null;
  /** Epoch ms. */
  startedAt: number | null;
  /** What a poll would find; null: the list does not say, so a poll is needed. */
  found: Exclude<PollResult, { kind: 'failed' }> | null;
}
