import type { Analytics, Turn } from './analytics.ts';
import type { LeadResult, ResultSource } from './lead.ts';

/**
 * What a service may say of a call that it took and that never rang. `not_called`: the lead waits again.
 * `not_called_pause`: the lead waits again, and other dials would fail, too (money, key, configuration).
 */
export const NOT_CALLED = ['not_called', 'not_called_pause'] as const;
export type NotCalled = (typeof NOT_CALLED)[number];

/** What a profile may map a result word of the service to. */
export type SaidResult = LeadResult | NotCalled;

/**
 * A word of the service that its profile does not know, or the path of a field that it does not read.
 * `unknownWordSentence` says what each kind means.
 */
export interface UnknownWord {
  of:
    | ('outcome' | 'status' | 'state' | 'flag' | 'end' | 'no_end')
    | ('duration' | 'sentiment' | 'transcript' | 'turns' | 'address' | 'elsewhere')
    | ('speaker' | 'role' | 'say' | 'callId' | 'errorAt' | 'error')
    | ('event' | 'type' | 'eventCall');
  word: string;
  /** What the line of the profile proposes for it, such as the unit of a length. */
  as?: string;
}

/** How a completed call ended, and where this comes from. */
export interface Outcome {
  result: SaidResult;
  source: ResultSource;
}

/**
 * The result of a completed call: the service's own word where the profile maps it, otherwise derived
 * from the transcript. A transcript in which the person speaks is `answered`; a transcript that is empty, or in
 * which only the agent speaks, is `no_answer`; without a transcript the result is `no_result`.
 *
 * A person who speaks in the transcript was called: this overrides words of failure, which then refer to something
 * that happened later (a transfer, a webhook). A call with a duration was made, whatever the service says.
 *
 * @param said the result to which the profile's outcome table maps the service's answer, or null
 */
export function outcomeOf(
  analytics: Pick<Analytics, 'transcript' | 'turns'> & { durationMs?: number | null },
  said: SaidResult | null,
): Outcome {
  if (said === null) return { result: derive(analytics), source: 'derived' };
  const isFailure = said === 'failed' || isNotCalled(said);
  if (isFailure && personSpeaks(analytics.turns)) return { result: 'answered', source: 'derived' };
  if (isNotCalled(said) && (analytics.durationMs ?? 0) > 0) {
    return { result: 'failed', source: 'service' };
  }
  return { result: said, source: 'service' };
}

export function isNotCalled(result: SaidResult): result is NotCalled {
  return NOT_CALLED.some((word) => word === result);
}

function derive({ transcript, turns }: Pick<Analytics, 'transcript' | 'turns'>): LeadResult {
  if (turns.length > 0) return personSpeaks(turns) ? 'answered' : 'no_answer';
  if (transcript === null) return 'no_result';
  return transcript.trim() === '' ? 'no_answer' : 'answered';
}

function personSpeaks(turns: readonly Turn[]): boolean {
  return turns.some(({ speaker, text }) => speaker === 'person' && text.trim() !== '');
}
