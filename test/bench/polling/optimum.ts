const STEP_MS = 500;

/**
 * What the best of all schedules costs a call, in polls: polls plus delay at `worthMs` a poll. Every schedule
 * on a grid of half a second is considered, by dynamic programming from the longest call back, and it knows
 * the lengths of all calls beforehand: nothing that has to learn can be cheaper.
 */
export function bestCost(lengthsMs: readonly number[], worthMs: number): number {
  const { over, lengths } = distribution(lengthsMs);
  const last = over.length - 1;
  const cost = new Float64Array(over.length);
  for (let from = last - 1; from >= 0; from--) {
    const open = 1 - at(over, from);
    let best = Infinity;
    for (let to = from + 1; to <= last; to++) {
      const found = at(over, to) - at(over, from);
      const delayMs = found * to * STEP_MS - (at(lengths, to) - at(lengths, from));
      best = Math.min(best, open + delayMs / worthMs + at(cost, to));
    }
    cost[from] = best;
  }
  return at(cost, 0);
}

/** By each step: the share of calls that are over, and the sum of their lengths as a share of all calls. */
function distribution(lengthsMs: readonly number[]): { over: Float64Array; lengths: Float64Array } {
  const sorted = lengthsMs.toSorted((a, b) => a - b);
  const steps = Math.ceil((sorted.at(-1) ?? 0) / STEP_MS) + 1;
  const over = new Float64Array(steps);
  const lengths = new Float64Array(steps);
  let count = 0;
  let sum = 0;
  for (let step = 0; step < steps; step++) {
    for (; (sorted[count] ?? Infinity) <= step * STEP_MS; count++) sum += sorted[count] ?? 0;
    over[step] = count / sorted.length;
    lengths[step] = sum / sorted.length;
  }
  return { over, lengths };
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? NaN;
}
