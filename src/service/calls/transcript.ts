import type { Turn } from '../../domain/analytics.ts';
import type { Profile } from '../profile/profile.ts';
import { asText, firstOf, inside, type Scopes } from '../profile/read-fields.ts';
import { normalizeWord } from '../../text/fold-words.ts';

type Rules = Profile['analytics']['transcript'];

export interface Transcript {
  text: string;
  /** Empty when there are none, or when a role is not known: who spoke is not guessed. */
  turns: Turn[];
}

/** @returns null when a transcript is there but null, undefined when there is none */
export function readTranscript(scopes: Scopes, rules: Rules): Transcript | null | undefined {
  const fromTurns = firstOf(scopes, rules.turns, (value) => turnsOf(value, rules, scopes));
  if (fromTurns !== undefined && fromTurns !== null && fromTurns.text !== '') return fromTurns;
  const text = firstOf(scopes, rules.text, asText);
  return typeof text === 'string' ? ofText(text, rules) : (fromTurns ?? text);
}

/** A line that begins with one or two words and a colon, such as the name of a speaker. */
const LABELLED = /^([\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)?) ?:(?: +|$)(.*)$/su;

/**
 * A text whose first line begins with a role of the profile (`assistant: Hello`) is split into turns. A line without a
 * known role continues the turn before it, even if it begins with words and a colon (`Note: call me`). If only the
 * agent seems to speak and such a line could belong to a speaker whom the profile does not name, the text is not split:
 * who spoke is not guessed.
 */
function ofText(text: string, rules: Rules): Transcript {
  const parts: { speaker: Turn['speaker'] | 'nobody'; text: string }[] = [];
  let isDoubtful = false;
  for (const line of text.split(/\r?\n/)) {
    const words = line.trim();
    const [, role, said = ''] = LABELLED.exec(words) ?? [];
    const isHidden = role !== undefined && rules.hidden.has(normalizeWord(role));
    const speaker = role === undefined ? undefined : isHidden ? 'nobody' : speakerOf(role, rules);
    const last = parts.at(-1);
    if (speaker !== undefined) parts.push({ speaker, text: said.trim() });
    else if (last !== undefined) {
      isDoubtful ||= role !== undefined;
      if (words !== '') last.text += last.text === '' ? words : `\n${words}`;
    } else if (words !== '') return { text, turns: [] };
  }
  const isPersonThere = parts.some(({ speaker }) => speaker === 'person');
  if (parts.length === 0 || (isDoubtful && !isPersonThere)) return { text, turns: [] };
  const turns = parts.filter((part): part is Turn => part.speaker !== 'nobody');
  return { text: turns.map((turn) => `${turn.speaker}: ${turn.text}`).join('\n'), turns };
}

function turnsOf(value: unknown, rules: Rules, scopes: Scopes): Transcript | undefined {
  if (!Array.isArray(value)) return undefined;
  const isLines = value.every((item) => typeof item === 'string');
  if (isLines) return ofText(value.join('\n'), rules);
  const turns: Turn[] = [];
  const lines: string[] = [];
  let isKnown = true;
  let wasSomethingHidden = false;
  for (const item of value as unknown[]) {
    const scope = inside(item, scopes);
    const role = firstOf(scope, rules.role, asText) ?? '';
    if (rules.hidden.has(normalizeWord(role))) {
      wasSomethingHidden = true;
      continue;
    }
    const text = asText(item) ?? firstOf(scope, rules.say, asText);
    if (typeof text !== 'string') continue;
    const speaker = speakerOf(role, rules);
    isKnown &&= speaker !== undefined;
    turns.push({ speaker: speaker ?? 'other', text });
    lines.push(role === '' ? text : `${speaker ?? role}: ${text}`);
  }
  // If every turn is hidden, this is a conversation in which nobody spoke; items without words are not a conversation.
  if (value.length > 0 && turns.length === 0 && !wasSomethingHidden) return undefined;
  return { text: lines.join('\n'), turns: isKnown ? turns : [] };
}

function speakerOf(role: string, rules: Rules): Turn['speaker'] | undefined {
  const word = normalizeWord(role);
  if (rules.agent.has(word)) return 'agent';
  if (rules.person.has(word)) return 'person';
  return rules.other.has(word) ? 'other' : undefined;
}
