import type { LeadResult } from '../lead.ts';

/**
 * Which of a person's attempts stands for all of them in the results, the best first; of equal ones the latest. A call
 * in doubt comes after those that are known to have reached somebody, and before those that reached nobody. The results
 * that are no attempt's come last.
 */
export const BEST_FIRST: readonly LeadResult[] = [
  'opted_out',
  'answered',
  'voicemail',
  'declined',
  'unconfirmed',
  'busy',
  'no_answer',
  'failed',
  'invalid_number',
  'no_result',
  'rejected',
  'suppressed',
  'expired',
  'cancelled',
];

/**
 * Results of conversations, after which nobody is called again, whatever came later; see `afterCall` for people who asked
 * for it.
 */
export const FINAL_RESULTS: readonly LeadResult[] = ['opted_out', 'answered'];
