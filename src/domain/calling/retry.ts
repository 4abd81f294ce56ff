import type { LeadResult } from '../lead.ts';

/** Results after which a person may be called again; all others end the lead. */
export const RETRY_RESULTS = ['no_answer', 'busy', 'voicemail', 'declined', 'failed'] as const;
export type RetryResult = (typeof RETRY_RESULTS)[number];

/** `retry` of the campaign file: whether and when a person is called again. */
export interface RetryPolicy {
  /** Attempts for each person in total, over all numbers, 1 to 20; default 1. */
  attempts: number;
  /** Attempts per calendar day of the person; null: no limit but the rules. */
  perDay: number | null;
  /** The least time between two attempts for one person, ms. */
  gapMs: number;
  /** Results that are retried, with the delay after each, ms, at least `gapMs` in effect. */
  after: Readonly<Partial<Record<RetryResult, number>>>;
  /** True: the next attempt is made at another time of the person's day than those before, while there is one. */
  otherTimeOfDay: boolean;
  /** The last day on which anybody is called again, in the campaign's zone: `2026-12-31`; null: none. */
  lastDay: string | null;
  /** After this many attempts to a number without an answer the person's next number is called; null: never. */
  alternatives: number | null;
}

/** An earlier attempt of a person that counts. */
export interface PastAttempt {
  /** When it began, epoch ms. */
  at: number;
  /** Null while it is not known. */
  result: LeadResult | null;
}
