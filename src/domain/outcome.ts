import type { Analytics } from './analytics.ts';
import type { LeadResult, ResultSource } from './lead.ts';

/** How a completed call ended, and who says so. */
export interface Outcome {
  result: LeadResult;
  source: ResultSource;
}

/**
 * The result of a completed call: the service's own word where the profile maps it, otherwise derived
 * from the transcript. A transcript in which the person speaks is `answered`; one that is there and
 * empty, or in which only the agent speaks, is `no_answer`; none at all is `no_result`.
 *
 * @param mapped what the profile's outcome table made of the service's answer, or null
 */
export function outcomeOf(
  analytics: Pick<Analytics, 'transcript' | 'turns'>,
  mapped: LeadResult | null,
): Outcome {
  if (mapped !== null) return { result: mapped, source: 'service' };
  return { result: derive(analytics), source: 'derived' };
}

function derive({ transcript, turns }: Pick<Analytics, 'transcript' | 'turns'>): LeadResult {
  if (turns.length > 0) {
    return turns.some((turn) => turn.speaker === 'person' && turn.text.trim() !== '')
      ? 'answered'
      : 'no_answer';
  }
  if (transcript === null) return 'no_result';
  return transcript.trim() === '' ? 'no_answer' : 'answered';
}
