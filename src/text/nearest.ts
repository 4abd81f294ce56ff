import type { UnknownWord } from '../domain/lead.ts';

/** Characters; a longer text is no misspelt word. */
const LONGEST = 100;

/**
 * The known word that was probably meant: equal except for case and dashes, or a few letters away. Undefined when none
 * is near, so that no message suggests nonsense.
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined;
  const wanted = plain(word);
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  let best: { word: string; distance: number } | undefined;
  for (const one of known) {
    const distance = editDistance(wanted, plain(one), best?.distance ?? allowed + 1);
    if (distance < (best?.distance ?? allowed + 1)) best = { word: one, distance };
  }
  return best?.word;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '');
}

/**
 * Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
 * @returns Infinity where it is at least `most`
 */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) >= most) return Infinity;
  const isSame = (i: number, j: number) => a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (isSame(i, j) ? 0 : 1);
      let here = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced);
      if (i > 1 && j > 1 && isSame(i, j - 1) && isSame(i - 1, j))
        here = Math.min(here, (before[j - 2] ?? 0) + 1);
      row.push(here);
      if (here < least) least = here;
    }
    if (least >= most) return Infinity;
    [before, last] = [last, row];
  }
  return last[b.length] ?? Infinity;
}

type Kind = UnknownWord['of'];
const NOT_OVER = 'it counts as not over until no call lasts longer';

/** Fields that a profile does not find: what they probably hold, and the list of the profile for their names. */
const FIELDS = {
  sentiment: ['sentiment', 'analytics.sentiment.at'],
  transcript: ['transcript', 'analytics.transcript.text'],
  turns: ['transcript', 'analytics.transcript.turns'],
  address: ['transcript', 'analytics.transcript.url'],
  role: ['speaker in its transcript', 'analytics.transcript.role'],
  say: ['words in its transcript', 'analytics.transcript.say'],
  state: [`status (${NOT_OVER})`, 'analytics.status.at'],
  end: [`status or end (${NOT_OVER})`, 'analytics.endedAt'],
  callId: ['call id', 'dial.callId'],
  errorAt: ['error', 'dial.errors.at'],
  type: ['type in an event (it changes nothing)', 'webhooks.type'],
  eventCall: ['call id in an event (it changes nothing)', 'webhooks.callId'],
} as const satisfies Partial<Record<Kind, readonly [string, string]>>;

/** All others: the end of the sentence, and the line, with the word for `$` and what is proposed for `#`. */
const WORDS: Record<Exclude<Kind, keyof typeof FIELDS>, readonly [does: string, line: string]> = {
  outcome: [
    'ended with the outcome "$", a word that the profile does not know: the transcript decides the result',
    '`$: answered` (or voicemail, no_answer, busy, declined, failed, invalid_number, opted_out) under analytics.outcome.words, or `$` in the list analytics.outcome.ignored',
  ],
  status: [
    'has the status "$", a word that the profile does not know: it counts as not over',
    '`$` in the list analytics.status.ended if the call is over, in analytics.status.running if it is not',
  ],
  duration: [
    'has no length that the profile finds, but a field `$`',
    '`$: #` (auto, ms, s, min or text) under analytics.duration',
  ],
  speaker: [
    'has a speaker "$" whom the profile does not know',
    '`$` in the list analytics.transcript.# (or in agent, person, other, hidden)',
  ],
  flag: [
    `has no status that the profile finds, but a flag \`$\` (${NOT_OVER})`,
    '`\'= body.$ == true ? "completed" : "running"\'` in the list analytics.status.at',
  ],
  no_end: [
    `has nothing that says that it is over (${NOT_OVER})`,
    'the field that says so in the list analytics.status.at or analytics.endedAt',
  ],
  elsewhere: [
    'has its transcript at $, where none can be read: it is not the service itself, does not take its key, or has none',
    'the path of the service that gives a transcript, where it has one',
  ],
  error: [
    'was refused with "$", which the profile does not know',
    '`$: rejected` (or invalid_number, refused, pause) under dial.errors.words',
  ],
  event: [
    'has an event of the type "$", which the profile does not name: it changes nothing',
    '`$: #` (or ended, analytics, lead_captured, ignored) under webhooks.events',
  ],
};

function placeOf(of: Kind): readonly [does: string, line: string] {
  if (of in WORDS) return WORDS[of as keyof typeof WORDS];
  const [what, list] = FIELDS[of as keyof typeof FIELDS];
  return [`has no ${what} that the profile finds, but a field \`$\``, `\`$\` in the list ${list}`];
}

/** The line of a profile that says what a word or a field of the service means, and what else may be written. */
export function lineToWrite({ of, word, as = '' }: UnknownWord): string {
  const [, line] = placeOf(of);
  const isPlain = /^[a-z][\w.-]*$/i.test(word) || of === 'flag';
  const text = isPlain ? word : JSON.stringify(word);
  return line.replaceAll('$', () => text).replaceAll('#', () => as);
}

/** A word or field that a profile does not know, as a sentence: what it does now, and the line that changes it. */
export function unknownWordSentence(unknown: UnknownWord): string {
  const does = placeOf(unknown.of)[0].replaceAll('$', () => unknown.word);
  return `A call ${does}. Write into the profile: ${lineToWrite(unknown)}.`;
}
