import type { UnknownWord } from '../domain/outcome.ts';

type Place = readonly [what: string, line: string];

/**
 * For each kind of word what it is and does, as the end of a sentence, and the line of a profile that changes it, with
 * the word or field for `$` and what is proposed for `#`.
 */
const PLACES: Record<UnknownWord['of'], Place> = {
  outcome: [
    'ended with the outcome "$", a word that the profile does not know: the transcript decides the result',
    '`$: answered` (or voicemail, no_answer, busy, declined, failed, invalid_number, opted_out) under analytics.outcome.words, or `$` in the list analytics.outcome.ignored',
  ],
  status: [
    'has the status "$", a word that the profile does not know: it counts as not over',
    '`$` in the list analytics.status.ended if the call is over, in analytics.status.running if it is not',
  ],
  duration: [
    'has no length that the profile finds, and a field `$`',
    '`$: #` (auto, ms, s, min or text) under analytics.duration',
  ],
  sentiment: [
    'has no sentiment that the profile finds, and a field `$`',
    '`$` in the list analytics.sentiment.at',
  ],
  transcript: [
    'has no transcript that the profile finds, and a field `$`',
    '`$` in the list analytics.transcript.text',
  ],
  turns: [
    'has no transcript that the profile finds, and a field `$`',
    '`$` in the list analytics.transcript.turns',
  ],
  address: [
    'has no transcript that the profile finds, and an address in `$`',
    '`$` in the list analytics.transcript.url',
  ],
  elsewhere: [
    'has its transcript at $, which is not the service itself or does not take its key: nothing is read there',
    'the path of the service that gives a transcript, where it has one',
  ],
  speaker: [
    'has the speaker "$", whom the profile does not know: who spoke is not known',
    '`$` in the list analytics.transcript.# (or in agent, person, other, hidden)',
  ],
  role: [
    'has a transcript whose speakers the profile does not find, and a field `$` in each turn',
    '`$` in the list analytics.transcript.role',
  ],
  say: [
    'has a transcript whose words the profile does not find, and a field `$` in each turn',
    '`$` in the list analytics.transcript.say',
  ],
  state: [
    'has no status that the profile finds, and a field `$`: it counts as not over until no call lasts longer',
    '`$` in the list analytics.status.at',
  ],
  flag: [
    'has no status that the profile finds, and a flag `$`: it counts as not over until no call lasts longer',
    '`\'= body.$ == true ? "completed" : "running"\'` in the list analytics.status.at',
  ],
  end: [
    'has no status that the profile finds, and a time in `$`: it counts as not over until no call lasts longer',
    '`$` in the list analytics.endedAt',
  ],
  no_end: [
    'has nothing that says that it is over: it counts as not over until no call lasts longer',
    'the field that says so in the list analytics.status.at or analytics.endedAt',
  ],
  callId: ['was answered without a call id that the profile finds', '`$` in the list dial.callId'],
  event: [
    'was told by an event of the type "$", which the profile does not name: it changes nothing',
    '`$: #` (ended, analytics, lead_captured or ignored) under webhooks.events',
  ],
  type: [
    'was told by an event without a type that the profile finds: it changes nothing',
    '`$` in the list webhooks.type',
  ],
  eventCall: [
    'was told by an event without a call id that the profile finds: it changes nothing',
    '`$` in the list webhooks.callId',
  ],
  lead: [
    'was told by an event of a captured lead without fields that the profile finds',
    '`$` in the list webhooks.lead',
  ],
};

/** The line of a profile that says what a word or a field of the service means, and what else may be written. */
export function lineToWrite({ of, word, as = '' }: UnknownWord): string {
  const [, line] = PLACES[of];
  const isPlain = /^[a-z][\w.-]*$/i.test(word) || line.includes('body.$');
  const text = isPlain ? word : JSON.stringify(word);
  return line.replaceAll('$', () => text).replaceAll('#', () => as);
}

/** A word or field that a profile does not know, as a sentence: what it does now, and the line that changes it. */
export function unknownWordSentence(unknown: UnknownWord): string {
  const does = PLACES[unknown.of][0].replaceAll('$', () => unknown.word);
  return `A call ${does}. Write into the profile: ${lineToWrite(unknown)}.`;
}
