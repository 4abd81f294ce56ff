import type { E164 } from '../../domain/phone.ts';
import { usageError } from '../../runtime/errors.ts';
import type { NewSuppression, Store } from '../../store/port.ts';
import { localTime, timesIn, zonedTime } from '../../text/times.ts';
import { shellWord } from '../../text/wording.ts';
import type { Suppression, SuppressionEntry } from '../../views/suppression.ts';
import { requireSearchable, type Identity } from '../access/identity.ts';
import { withStore } from '../places/databases.ts';
import {
  isThere,
  locateDatabase,
  nameOf,
  requireMayCreate,
  type DatabaseRequest,
} from '../places/home.ts';
import type { World } from '../world.ts';
import { nameFinder } from '../watch/people.ts';
import { ageText } from './suppression-age.ts';

/** End of a sentence: ` through 2026-03-01 (until Mon 2026-03-02 00:00 America/New_York)`; empty: never expires. */
export function through(expiresAt: number | null, { timezone }: Pick<World, 'timezone'>): string {
  if (expiresAt === null) return '';
  return ` through ${lastDayOf(expiresAt, timezone)} (until ${localTime(expiresAt, timezone)})`;
}

/** The last day on which an entry holds: `2026-03-01`. */
function lastDayOf(expiresAt: number, timezone: string): string {
  return zonedTime(timezone)(expiresAt - 1).slice(0, 10);
}

/** A function that makes the view of an entry. @param timezone IANA name */
export function entryViews(timezone: string): (entry: NewSuppression) => SuppressionEntry {
  const time = timesIn(timezone);
  return ({ phone, at, source, note, who, list = null, expiresAt }) => ({
    ...{ phone, at: time(at), source, note, who, list, expiresAt: time(expiresAt) },
    lastDay: expiresAt === null ? null : lastDayOf(expiresAt, timezone),
  });
}

/** Refuses a suppressed number before any question; the claim would refuse it later anyway. */
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
 * @param mode only `add` creates a missing one
 * @throws AppError `STORE_MISSING` (exit 2) instead of creating a new one by mistake
 */
export async function withSuppression<T>(
  mode: 'read' | 'write' | 'add',
  request: DatabaseRequest,
  world: World,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const place = locateDatabase(request, world, false);
  const path = nameOf(place);
  const mayRead = isThere(place);
  const rehearsed = locateDatabase(request, world, true);
  if (!mayRead && !place.given && !world.attended && isThere(rehearsed)) {
    const rehearsals = nameOf(rehearsed);
    throw usageError(
      'STORE_MISSING',
      `There is no database at ${path}, only that of rehearsals, ${rehearsals}: nobody was called for real from here.`,
      `give --db ${shellWord(rehearsals)} for the rehearsals' list, or --db ${shellWord(path)} to begin that of real calls`,
    );
  }
  if (!mayRead && mode !== 'add') {
    throw usageError(
      'STORE_MISSING',
      `There is no database at ${path}, and so no suppression list.`,
      'give the right one with --db PATH',
    );
  }
  requireMayCreate(place, world, true, { callsNobody: true });
  return withStore(place, mode === 'read' ? mode : 'write', world, use);
}

/** The files that entries came from. @param timezone IANA name */
export async function filesIn(
  store: Store,
  { clock, timezone }: Pick<World, 'clock' | 'timezone'>,
): Promise<Suppression['files']> {
  const time = timesIn(timezone);
  return (await store.suppressionFiles()).map((file) => {
    const { path, asOf, at, who, registry, areas } = file;
    return {
      ...{ path, asOf: time(asOf), at: time(at), who, registry },
      ...{ areas: areas && [...areas], text: ageText(file, clock.now()) },
    };
  });
}

interface BrowseRequest extends DatabaseRequest {
  /** Occurs in the number or the note; empty: all. */
  text: string;
  /** The `next` of the page before; null: the first page. */
  before: number | null;
  limit: number;
  /** On whose behalf: who sees masked numbers finds a number only by all of it. */
  reader: Pick<Identity, 'who' | 'transcripts'>;
}

/** A page of the suppression list of real calls. Creates no database: where there is none, nobody is on the list. */
export async function browseSuppression(
  { text: given, before, limit, reader, ...request }: BrowseRequest,
  world: World,
): Promise<Suppression> {
  const text = given.trim();
  // Separators do not count when a number is looked for, so they do not divide one here.
  const joined = text.replaceAll(/[\s()./-]/g, '');
  requireSearchable(reader, joined);
  const isWhole = !reader.transcripts && /\d/.test(joined);
  const place = locateDatabase(request, world, false);
  if (!isThere(place)) return { items: [], next: null, files: [] };
  return withStore(place, 'read', world, async (store) => {
    const query = { now: world.clock.now(), before, text: text === '' ? null : text };
    const found = await store.suppressionPage({ ...query, limit: limit + 1 });
    const files = await filesIn(store, world);
    const view = entryViews(world.timezone);
    const shown = isWhole ? found.filter(({ phone }) => phone === joined) : found.slice(0, limit);
    // The place of an entry, as a number would tell whom it is about.
    const seq = isWhole || found.length <= limit ? undefined : shown.at(-1)?.seq;
    const nameOf = nameFinder(store);
    const named = async (one: NewSuppression) => ({ ...view(one), name: await nameOf(one.phone) });
    const items = await Promise.all(shown.map(named));
    return { items, next: seq === undefined ? null : String(seq), files };
  });
}
