/** Numbers as people read them, the same in text and report. */

/** `42 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return `${hours.toLocaleString('en-US')} h ${minutes % 60} min`;
}

/** `72%`; a part that is there is never 0%, and one that is not the whole never 100%. */
export function percent(part: number, of: number): string {
  if (of === 0) return '-';
  const rounded = Math.round((part / of) * 100);
  if (rounded === 0 && part > 0) return '<1%';
  return rounded === 100 && part < of ? '>99%' : `${rounded}%`;
}

/** `20,000`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** `under 10 s`, `10 s to 30 s`, `10 min and more`. */
export function lengthText(fromMs: number | null, upToMs: number | null): string {
  if (fromMs === null) return upToMs === null ? 'any' : `under ${durationText(upToMs)}`;
  return upToMs === null
    ? `${durationText(fromMs)} and more`
    : `${durationText(fromMs)} to ${durationText(upToMs)}`;
}

/** `0.12 USD`, `13 credits`; a cost without a unit is the number alone. */
export function costText(total: number, currency: string): string {
  const number = total.toLocaleString('en-US', { maximumFractionDigits: 2 });
  return currency === '' ? number : `${number} ${currency}`;
}
