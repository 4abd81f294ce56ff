/** The least, the middle and the most that is likely: nine in ten are above the first, nine in ten below the last. */
export interface Range<T = number> {
  low: T;
  middle: T;
  high: T;
}

/** Of values of which some may be Infinity: what never comes is null. */
export function rangeOf(values: readonly number[]): Range<number | null> {
  const ascending = Float64Array.from(values).sort();
  const at = (share: number): number | null => {
    const place = share * (ascending.length - 1);
    const [below = NaN, above = NaN] = [ascending[Math.floor(place)], ascending[Math.ceil(place)]];
    if (above === Infinity) return null;
    return below + (above - below) * (place - Math.floor(place));
  };
  return { low: at(0.1), middle: at(0.5), high: at(0.9) };
}
