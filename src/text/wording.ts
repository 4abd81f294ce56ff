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

export function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A name quoted as one word of a shell command: `spring`, `'spring renewals'`. */
export function shellWord(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The width of reports, for screens of 100 columns. */
const WIDTH = 100;

/** A text in lines of `WIDTH` columns, see `wrap`, indented as far as the head of its first line is long. */
export function wrapped(head: string, text: string): string[] {
  return wrap(text, WIDTH - head.length).map(
    (line, index) => `${index === 0 ? head : ' '.repeat(head.length)}${line}`,
  );
}

/** Ends lines between words. A longer word stays whole, and so does a command in backticks, to be copied. */
export function wrap(text: string, width: number): string[] {
  if (text.length <= width && !text.includes('\n')) return [text];
  return text.split('\n').flatMap((line) => {
    const rows = [''];
    for (const word of line.match(/(?:`[^`]*`|\S)+/g) ?? []) {
      const row = rows.at(-1) ?? '';
      const longer = row === '' ? word : `${row} ${word}`;
      if (row === '' || longer.length <= width) rows[rows.length - 1] = longer;
      else rows.push(word);
    }
    return rows;
  });
}

/** Writes a text below its head in lines of a report, with commands that are ready to be pasted. */
export type Write = (head: string, text: string) => string[];

/** Percent-encoded text as it is read; left alone where it is no valid encoding. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
