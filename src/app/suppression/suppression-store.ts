import { existsSync } from 'node:fs';
import type { E164 } from '../../domain/phone.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Store } from '../../store/port.ts';
import { requireMayCreate, withStore } from '../places/databases.ts';
import type { World } from '../world.ts';
import { localTime } from '../../text/local-time.ts';
import { shellWord } from '../../text/shell-word.ts';
import { locateDatabase, type DatabaseRequest } from '../places/database-place.ts';

/** End of a sentence: ` through 2026-03-01 (until 2026-03-02 00:00:00 America/New_York)`; empty: never expires. */
export function through(expiresAt: number | null, { timezone }: Pick<World, 'timezone'>): string {
  if (expiresAt === null) return '';
  return ` through ${lastDayOf(expiresAt, timezone)} (until ${localTime(expiresAt, timezone)})`;
}

/** The last day on which an entry holds: `2026-03-01`. */
export function lastDayOf(expiresAt: number, timezone: string): string {
  return localTime(expiresAt - 1, timezone).slice(0, 10);
}

/**
 * Refuses a suppressed number before any question; the claim would refuse it later anyway.
 *
 * @throws AppError `PHONE_SUPPRESSED` (exit 2)
 */
export async function refuseSuppressed(store: Store | undefined, phone: E164, world: World) {
  const query = { campaignId: null, phones: [phone], now: world.clock.now() };
  const why = (await store?.lookUpPhones(query))?.[0]?.suppressed;
  if (why == null) return;
  throw usageError(
    'PHONE_SUPPRESSED',
    `${phone} is on the suppression list (${why}); nobody calls it.`,
    `\`callsheet suppress remove ${phone}\` lifts that`,
  );
}

/**
 * Opens the database that holds the suppression list: the real one, unless --db names another.
 *
 * @throws AppError `STORE_MISSING` (exit 2) instead of creating a new one by mistake
 */
export async function withSuppression<T>(
  mode: 'read' | 'write',
  request: DatabaseRequest,
  world: World,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const place = locateDatabase(request, world, false);
  const { path } = place;
  const isThere = existsSync(path);
  const { path: rehearsals } = locateDatabase(request, world, true);
  if (!isThere && !place.given && !world.attended && existsSync(rehearsals)) {
    throw usageError(
      'STORE_MISSING',
      `There is no database at ${path}, only that of rehearsals, ${rehearsals}: nobody was called for real from here.`,
      `give --db ${shellWord(rehearsals)} for the rehearsals' list, or --db ${shellWord(path)} to begin that of real calls`,
    );
  }
  requireMayCreate(place, world, true, { callsNobody: true });
  return withStore(path, isThere ? mode : 'write', world, use);
}
