import wrapAnsi from 'wrap-ansi';

/** The width of reports: what has to be seen at once is seen at once on a screen of 100 columns. */
export const WIDTH = 100;

/** A text in lines of at most `WIDTH` columns, indented as far as the head of its first line is long. */
export function wrapped(head: string, text: string): string[] {
  return wrap(text, WIDTH - head.length, { hard: true }).map(
    (line, index) => `${index === 0 ? head : ' '.repeat(head.length)}${line}`,
  );
}

/**
 * Ends lines between words. A command in backticks stays on one line, to be copied.
 *
 * @param options `hard`: a word or command that is longer than a line is broken, too; default: it stays whole
 */
export function wrap(text: string, width: number, options: { hard?: boolean } = {}): string[] {
  const whole = text.replaceAll(/`[^`\n]*`/g, (command) => command.replaceAll(' ', GLUE));
  return wrapAnsi(whole, width, options).replaceAll(GLUE, ' ').split('\n');
}

/** Replaces a space inside a command while lines are wrapped: a private-use character that no text contains. */
const GLUE = '\u{e000}';

/** Writes a text below its head in lines of a report, with commands that are ready to be pasted. */
export type Write = (head: string, text: string) => string[];
