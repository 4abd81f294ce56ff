import { DAY_MS } from '../../domain/time-units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/port.ts';

/** The body of an applied delivery is kept this long: services stop repeating a delivery well before ... */
const KEEP_BODIES_MS = 30 * DAY_MS;
/** ... and that of an unmatched or unreadable one this long: a person may correct the profile and replay it. */
const KEEP_USELESS_MS = 90 * DAY_MS;
/** Bodies are pruned once a day, by the monotonic clock. */
const EVERY_MS = DAY_MS;

/** Makes a function that drops the bodies of old deliveries, a few hundred per call, when pruning is due. */
export function createPruning(
  store: Pick<Store, 'dropBodies'>,
  service: string,
  clock: Clock,
): () => Promise<void> {
  let beganAt = -Infinity;
  /** Where the next call continues, epoch ms; null: the pruning is complete. */
  let from: number | null = null;
  return async () => {
    const monotonic = clock.monotonic();
    if (from === null && monotonic - beganAt < EVERY_MS) return;
    if (from === null) beganAt = monotonic;
    const now = clock.now();
    from = await store.dropBodies({
      service,
      from: from ?? 0,
      before: now - KEEP_BODIES_MS,
      uselessBefore: now - KEEP_USELESS_MS,
    });
  };
}
