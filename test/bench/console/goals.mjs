// Figures beside their goals.
let missed = 0;

/** Prints a figure; `goal` is the most that it may be. */
export function check(what, found, goal, unit = 'ms') {
  const holds = found <= goal;
  if (!holds) missed += 1;
  console.log(
    `  ${holds ? 'OK    ' : 'MISSED'} ${what}: ${found.toFixed(unit === '%' ? 2 : 1)} ${unit} (goal ${goal})`,
  );
}

export function exitCode() {
  return missed > 0 ? 1 : 0;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
