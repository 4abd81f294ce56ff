import type { E164 } from '../domain/phone.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { Store } from '../store/port.ts';
import type { Options } from './command.ts';
import { begunEverywhere, readDay } from './days.ts';
import { openExisting, openToWrite, requireMayCreate } from './databases.ts';
import type { Io } from './io.ts';
import { databaseOptions, jsonOption, locateDatabase } from './options.ts';

/** What an entry of the suppression list can be told. */
export const suppressOptions = {
  note: { type: 'text', describe: 'why, for whoever looks it up' },
  until: { type: 'text', describe: 'it holds up to this day, e.g. 2026-07-01; default for good' },
  country: { type: 'text', describe: 'country of numbers without +, e.g. US; default none' },
  ...databaseOptions,
  ...jsonOption,
} as const satisfies Options;

/** Epoch ms, or null for good: nobody is called before the day has come where they are. @throws AppError `FLAG_INVALID` (exit 2) */
export function suppressedUntil({ until }: { until?: string | undefined }): number | null {
  return until === undefined ? null : begunEverywhere(readDay('--until', until));
}

/**
 * Says before anybody is asked what the claim would decide anyway.
 *
 * @throws AppError `PHONE_SUPPRESSED` (exit 2)
 */
export async function refuseSuppressed(
  store: Store | undefined,
  phone: E164,
  io: Io,
): Promise<void> {
  const query = { campaignId: null, phones: [phone], now: io.clock.now() };
  const why = (await store?.lookUpPhones(query))?.[0]?.suppressed;
  if (why == null) return;
  throw new AppError(
    'PHONE_SUPPRESSED',
    `${phone} is on the suppression list (${why}); nobody calls it.`,
    { hint: `\`callsheet suppress remove ${phone}\` lifts that`, exitCode: EXIT.usage },
  );
}

/**
 * Opens the database whose suppression list is meant: the real one, unless --db says another.
 *
 * @throws AppError `STORE_MISSING` (exit 2) where it would be a new one by mistake
 */
export async function withSuppression<T>(
  mode: 'read' | 'write',
  flags: { db?: string | undefined },
  io: Io,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const place = locateDatabase(flags, io, false);
  requireMayCreate(place, io, true);
  const store =
    (mode === 'read' ? await openExisting(place, io, 'read') : undefined) ??
    openToWrite(place.path, io);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
