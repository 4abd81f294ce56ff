/** A change of the clocks of a zone: from `at` on they show `after` instead of `before` (ms ahead of UTC). */
export interface Transition {
  zone: string;
  at: number;
  before: number;
  after: number;
}

/** Every change of the clocks from `from` to `to` (epoch ms), in every zone that this machine knows, to the second. */
export function transitions(from: number, to: number): Transition[] {
  return Intl.supportedValuesOf('timeZone').flatMap((zone) => {
    const offsetAt = offsets(zone);
    const found: Transition[] = [];
    for (let start = from; start < to; start += STEP_MS) {
      let [low, high] = [start, Math.min(start + STEP_MS, to)];
      const [before, after] = [offsetAt(low), offsetAt(high)];
      if (before === after) continue;
      while (high - low > 1_000) {
        const middle = low + Math.floor((high - low) / 2_000) * 1_000;
        if (offsetAt(middle) === before) low = middle;
        else high = middle;
      }
      found.push({ zone, at: high, before, after });
    }
    return found;
  });
}

/** Ramadan parts two changes by four weeks; nothing parts them by less. */
const STEP_MS = 14 * 86_400_000;

/** How far the clocks of a zone are ahead of UTC, ms. */
export function offsets(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const of = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = of;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
  };
}
