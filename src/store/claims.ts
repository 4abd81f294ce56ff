import type { Person } from '../domain/lists/person.ts';
import type { E164 } from '../domain/phone.ts';
import type { Owner } from './records.ts';

/** What a claim asks for and what it gives: leads that may be dialled now. Part of the port; times are epoch ms. */

export interface ClaimRequest {
  campaignId: string;
  /** At most this many, the number of free request lanes. At least 1. */
  want: number;
  /** Slots in use at most, the operator's concurrency or less. */
  slots: number;
  /** Calls in progress at the service at most, over all campaigns; null: no limit. */
  serviceSlots: number | null;
  service: string;
  /** See VoiceService.fingerprint: until it has answered one dial as expected, only one dial is in flight. */
  fingerprint: string;
  now: number;
  owner: Owner;
  /** At services that answer one key with one call: dials whose answers were lost are sent again first. */
  replay?: {
    /** How long the service knows a key, ms. */
    forMs: number;
    /** See VoiceService.idempotency. */
    account: string;
    /** The monotonic clock of the process that asks, ms: shows by how much the wall clock was set back. */
    monotonic: number;
  };
  /** True when the dial needs the cells of the lead's row; default false. */
  withVariables?: boolean;
}

export type ClaimShortfall =
  | 'not_running'
  /** The database's disk has less room than callsheet keeps free. */
  | 'disk_full'
  /** Another program has locked the database: nothing was claimed, and it is worth asking again. */
  | 'store_locked'
  | 'no_free_slot'
  | 'service_backoff'
  | 'pace'
  | 'first_answer_pending'
  | 'not_yet_due'
  | 'list_unfinished'
  | 'none_waiting';

export interface Claim {
  intents: Intent[];
  /** Why there are not more; null when all that were wanted were given. */
  shortfall: ClaimShortfall | null;
  /** When it is worth asking again (epoch ms); null: when something changes. */
  askAgainAt: number | null;
}

export interface Intent {
  /** Names the attempt within this store. */
  attemptId: string;
  /** The idempotency key: same again after a release, never shared by two attempts that count. */
  key: string;
  phone: E164;
  agent: string;
  /** 1 for the lead's first spent attempt, 2 for its second ... */
  ordinal: number;
  intentAt: number;
  /** The same dial once more, under the same key: its first answer was lost. */
  replayed?: true;
  /** The lead's cells by column; null unless `withVariables` asked for them. */
  variables?: Readonly<Record<string, string>> | null;
  /** What the import of the lead's list recognised of the person; as `variables`. */
  person?: Person | null;
}
