/** What one concurrency comes to. */
export interface Trial {
  concurrency: number;
  /** Nights in which somebody was called. */
  nights: number;
  calls: number;
  /** When everything was done, epoch ms; null: it never was. */
  finishedAt: number | null;
}

/** How near the smallest sufficient concurrency is looked for: to a tenth of it. */
const NEAR = 0.1;

/**
 * Looks for a concurrency with which a list takes fewer nights, and for the smallest such one: doubles as long as the
 * nights become fewer, then halves the way back.
 *
 * @param rehearse rehearses with a concurrency; null: there is no time left for it
 * @param most no larger one is tried
 * @returns all that were rehearsed, `first` among them, by concurrency
 */
export async function tryOthers(
  first: Trial,
  most: number,
  rehearse: (concurrency: number) => Promise<Trial | null>,
): Promise<Trial[]> {
  const trials = [first];
  let best = first;
  /** The largest that is known to take more nights than the best. */
  let tooFew = first.concurrency;
  while (best.nights > 1) {
    const concurrency = Math.min(best.concurrency * 2, most);
    if (concurrency <= best.concurrency) break;
    const trial = await rehearse(concurrency);
    if (trial === null) break;
    trials.push(trial);
    if (trial.nights >= best.nights) break;
    tooFew = best.concurrency;
    best = trial;
  }
  while (best !== first && best.concurrency - tooFew > Math.max(1, best.concurrency * NEAR)) {
    const trial = await rehearse(Math.ceil((best.concurrency + tooFew) / 2));
    if (trial === null) break;
    trials.push(trial);
    if (trial.nights > best.nights) tooFew = trial.concurrency;
    else best = trial;
  }
  return trials.toSorted((a, b) => a.concurrency - b.concurrency);
}

/** The trial with the fewest nights and, of several, the smallest concurrency; null: none is better than `first`. */
export function bestOf(trials: readonly Trial[], first: Trial): Trial | null {
  const [best] = trials.toSorted((a, b) => a.nights - b.nights || a.concurrency - b.concurrency);
  return best !== undefined && best.nights < first.nights ? best : null;
}
