import type { Turn } from '../domain/analytics.ts';
import type { Profile } from './profile.ts';
import { asText, firstOf, inside } from './read-fields.ts';
import type { Scopes } from './read-fields.ts';
import { plainWord } from './words.ts';

export interface Transcript {
  text: string;
  /** Empty when there are none, or when a role is not known: who spoke is not guessed. */
  turns: Turn[];
}

/** @returns null when a transcript is there but null, undefined when there is none */
export function readTranscript(
  scopes: Scopes,
  rules: Profile['analytics']['transcript'],
): Transcript | null | undefined {
  const fromTurns = firstOf(scopes, rules.turns, (value) => turnsOf(value, rules, scopes));
  if (fromTurns !== undefined && fromTurns !== null && fromTurns.text !== '') return fromTurns;
  const text = firstOf(scopes, rules.text, asText);
  return typeof text === 'string' ? { text, turns: [] } : (fromTurns ?? text);
}

function turnsOf(
  value: unknown,
  rules: Profile['analytics']['transcript'],
  scopes: Scopes,
): Transcript | undefined {
  if (!Array.isArray(value)) return undefined;
  const turns: Turn[] = [];
  const lines: string[] = [];
  let isKnown = true;
  let wasSomethingHidden = false;
  for (const item of value as unknown[]) {
    const scope = inside(item, scopes);
    const role = firstOf(scope, rules.role, asText) ?? '';
    if (rules.hidden.has(plainWord(role))) {
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
  // A prompt alone is a conversation in which nobody has spoken; items that hold no words are none.
  if (value.length > 0 && turns.length === 0 && !wasSomethingHidden) return undefined;
  return { text: lines.join('\n'), turns: isKnown ? turns : [] };
}

function speakerOf(
  role: string,
  rules: Profile['analytics']['transcript'],
): Turn['speaker'] | undefined {
  const word = plainWord(role);
  if (rules.agent.has(word)) return 'agent';
  if (rules.person.has(word)) return 'person';
  return rules.other.has(word) ? 'other' : undefined;
}
