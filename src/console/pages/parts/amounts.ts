const whole = new Intl.NumberFormat('en-GB');
const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });

/** `1,234,567`. */
export function amount(n: number): string {
  return whole.format(n);
}

/** @param share 0 to 1; null: a dash */
export function share(share: number | null): string {
  return share === null ? '–' : percent.format(share);
}

/** `1 call`, `1,200 calls`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${amount(n)} ${n === 1 ? one : many}`;
}

/** `2.1 MB`. */
export function byteText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

/** What dials came to that are not calls made. */
export function otherDials(dials: { refused: number; inDoubt: number; notMade: number }): string {
  const { refused, inDoubt, notMade } = dials;
  return `${amount(refused)} refused, ${amount(inDoubt)} in doubt, ${amount(notMade)} not made`;
}
