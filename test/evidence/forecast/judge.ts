import type { Trial } from './try.ts';

/** What is asked of forecasts: of ten campaigns the end of nine within the range, and the middle near it in eight. */
export const ASKED = { within: 0.9, near: 0.8 };
/** The middle may be off by this share of the time from start to end. */
const NEAR = 0.15;

export interface Judged {
  title: string;
  isWithin: boolean;
  /** How far the middle is from the end, as a share of the time from start to end; negative: it was forecast too soon. */
  off: number;
  isNear: boolean;
}

export function judge({
  title,
  startAt,
  report,
  endedAt,
}: Pick<Trial, 'title' | 'startAt' | 'report' | 'endedAt'>): Judged {
  const { low, middle, high } = report.endsAt;
  const isWithin = low !== null && low <= endedAt && endedAt <= (high ?? Infinity);
  const off = ((middle ?? Infinity) - endedAt) / (endedAt - startAt);
  return { title, isWithin, off, isNear: Math.abs(off) <= NEAR };
}

/** What falls short of what is asked; empty: nothing. */
export function shortfalls(all: readonly Judged[]): string[] {
  const within = all.filter(({ isWithin }) => isWithin).length;
  const near = all.filter(({ isNear }) => isNear).length;
  return [
    ...(within < all.length * ASKED.within
      ? [`${within} of ${all.length} ends within the range`]
      : []),
    ...(near < all.length * ASKED.near ? [`${near} of ${all.length} middles near the end`] : []),
  ];
}
