/** The width of reports: what has to be seen at once is seen at once on a screen of 100 columns. */
export const WIDTH = 100;

/** A text in lines of at most `WIDTH` columns, indented as far as the head of its first line is long. */
export function wrapped(head: string, text: string): string[] {
  return wrap(text, WIDTH - head.length).map(
    (line, index) => `${index === 0 ? head : ' '.repeat(head.length)}${line}`,
  );
}

/** Ends lines between words. A longer word stays whole, and so does a command in backticks, to be copied. */
export function wrap(text: string, width: number): string[] {
  if (text.length <= width && !text.includes('\n')) return [text];
  const rows = [''];
  for (const word of text.match(/(?:`[^`\n]*`|\S)+/g) ?? []) {
    const row = rows.at(-1) ?? '';
    const longer = row === '' ? word : `${row} ${word}`;
    if (row === '' || longer.length <= width) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}

/** Writes a text below its head in lines of a report, with commands that are ready to be pasted. */
export type Write = (head: string, text: string) => string[];
