import wrapAnsi from 'wrap-ansi';

/** The width of reports: what has to be seen at once is seen at once on a screen of 100 columns. */
export const WIDTH = 100;

/** A text in lines of at most `WIDTH` characters, indented as far as the head of its first line is long. */
export function wrapped(head: string, text: string): string[] {
  const width = WIDTH - head.length;
  return wrapAnsi(text, width, { hard: true })
    .split('\n')
    .map((line, index) => `${index === 0 ? head : ' '.repeat(head.length)}${line}`);
}
