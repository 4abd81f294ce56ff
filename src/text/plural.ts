import { grouped } from './amounts.ts';

/** A count and its noun: `1 lead`, `2 leads`, `20,000 leads`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** Text from a service or the system as a sentence with one full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** Up to `most` words, and how many more there are: `a, b and 3 more`. */
export function someOf(words: readonly string[], most: number): string {
  const more = words.length > most ? ` and ${words.length - most} more` : '';
  return words.slice(0, most).join(', ') + more;
}

/** A text as it is, another value as JSON. */
export function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
