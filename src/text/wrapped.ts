import wrapAnsi from 'wrap-ansi';

/** The width of reports: what has to be seen at once is seen at once on a screen of 100 columns. */
export const WIDTH = 100;

/**
 * A text in lines of at most `WIDTH` characters, indented as far as the head of its first line is long. A command in
 * backticks stays on one line, to be copied, unless it is longer than a line.
 */
export function wrapped(head: string, text: string): string[] {
  const width = WIDTH - head.length;
  const whole = text.replaceAll(/`[^`\n]*`/g, (command) => command.replaceAll(' ', GLUE));
  return wrapAnsi(whole, width, { hard: true })
    .replaceAll(GLUE, ' ')
    .split('\n')
    .map((line, index) => `${index === 0 ? head : ' '.repeat(head.length)}${line}`);
}

/** Writes a text below its head in lines of a report, with commands that are ready to be pasted. */
export type Write = (head: string, text: string) => string[];

/** Replaces a space inside a command while lines are wrapped: a private-use character that no text contains. */
const GLUE = '\u{e000}';
