import type { UnknownWord } from '../domain/outcome.ts';

/** The line of a profile that says what a word of the service means, and what else may be written in its place. */
export function lineToWrite({ of, word }: UnknownWord): string {
  const text = /^[a-z][\w-]*$/i.test(word) ? word : JSON.stringify(word);
  return of === 'outcome'
    ? `\`${text}: answered\` (or voicemail, no_answer, busy, declined, failed, invalid_number, opted_out) under analytics.outcome.words, or \`${text}\` in the list analytics.outcome.ignored`
    : `\`${text}\` in the list analytics.status.ended if the call is over, in analytics.status.running if it is not`;
}

/** A word that a profile does not know, as a sentence: what it does now, and the line that changes it. */
export function unknownWordSentence(unknown: UnknownWord): string {
  const { of, word } = unknown;
  const does =
    of === 'outcome'
      ? `ended with the outcome "${word}", a word that the profile does not know: the transcript decides the result`
      : `has the status "${word}", a word that the profile does not know: it counts as not over`;
  return `A call ${does}. Write into the profile: ${lineToWrite(unknown)}.`;
}
