/** Rows as CSV, every cell in quotes. */
export function csv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`;
}
