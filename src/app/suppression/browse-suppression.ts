import { existsSync } from 'node:fs';
import type { SuppressionFile } from '../../store/port.ts';
import type { ListedSuppression } from '../../store/suppression.ts';
import { locateDatabase, type DatabaseRequest } from '../places/database-place.ts';
import { withStore } from '../places/databases.ts';
import type { Identity } from '../access/identity.ts';
import { requireSearchable } from '../access/require-transcripts.ts';
import type { World } from '../world.ts';

export interface SuppressionPage {
  /** The newest first. */
  entries: ListedSuppression[];
  /** The `seq` of the last entry where more follow; null: that is all. */
  next: number | null;
  files: SuppressionFile[];
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

/**
 * A page of the suppression list of real calls. Creates no database: where there is none, nobody is on the list.
 *
 * @throws AppError those of `requireSearchable`
 */
export async function browseSuppression(
  { text: given, before, limit, reader, ...request }: BrowseRequest,
  world: World,
): Promise<SuppressionPage> {
  const text = given.trim();
  // Separators do not count when a number is looked for, so they do not divide one here.
  const joined = text.replaceAll(/[\s()./-]/g, '');
  requireSearchable(reader, joined);
  const isWhole = !reader.transcripts && /\d{3}/.test(joined);
  const { path } = locateDatabase(request, world, false);
  if (!existsSync(path)) return { entries: [], next: null, files: [] };
  return withStore(path, 'read', world, async (store) => {
    const query = { now: world.clock.now(), before, text: text === '' ? null : text };
    const found = await store.suppressionPage({ ...query, limit: limit + 1 });
    const files = await store.suppressionFiles();
    if (isWhole) {
      return { entries: found.filter(({ phone }) => phone === joined), next: null, files };
    }
    const entries = found.slice(0, limit);
    return { entries, next: found.length > limit ? (entries.at(-1)?.seq ?? null) : null, files };
  });
}
