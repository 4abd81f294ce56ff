import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Upload } from '../../store/console.ts';
import type { Store } from '../../store/port.ts';
import type { DatabaseRequest } from '../places/database-place.ts';
import { databasePlaces, withStore } from '../places/databases.ts';
import type { World } from '../world.ts';
import { isChoosable, meaningOf } from './column-meanings.ts';
import { listInput, type DraftBody, type DraftInput } from './draft.ts';
import { foundIn, seeList } from './look.ts';

/** So many campaigns are looked through, the newest first. */
const MOST_CAMPAIGNS = 50;

/**
 * How each upload is read. One that nobody has said anything of is read like the newest list of a campaign with the
 * same headers: where its columns were taken for something that the headers alone do not say, that is chosen again.
 */
export async function rememberColumns(
  uploads: readonly Upload[],
  lists: DraftBody['lists'],
  files: DatabaseRequest,
  world: World,
): Promise<Record<string, DraftInput>> {
  const inputs: Record<string, DraftInput> = {};
  for (const upload of uploads)
    inputs[upload.id] = lists[upload.id] ?? (await inputLikeBefore(upload, files, world));
  return inputs;
}

async function inputLikeBefore(
  { path, name }: { path: string; name: string },
  files: DatabaseRequest,
  world: World,
): Promise<DraftInput> {
  const input = listInput.parse({});
  try {
    const look = await seeList(path, name, input);
    const before = await mappingBefore(look.headers, files, world);
    if (before === undefined) return input;
    const found = foundIn(look);
    for (const index of look.headers.keys()) {
      const was = meaningOf(before, index);
      const is = found === null ? 'keep' : meaningOf(found, index);
      if (was !== is && isChoosable(was)) input.columns[`#${index + 1}`] = was;
      if (was === 'keep' && isChoosable(is)) input.columns[`#${index + 1}`] = 'ignore';
    }
    return input;
  } catch (error) {
    // What is wrong with the file is told where its columns are shown.
    if (error instanceof AppError) return input;
    throw error;
  }
}

async function mappingBefore(
  headers: readonly string[],
  files: DatabaseRequest,
  world: World,
): Promise<ListMapping | undefined> {
  for (const { path } of databasePlaces(files, world)) {
    const found = await withStore(path, 'read', world, (store) => newestIn(store, headers));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function newestIn(store: Store, headers: readonly string[]) {
  const campaigns = (await store.listCampaigns()).toSorted((a, b) => b.createdAt - a.createdAt);
  for (const { id } of campaigns.slice(0, MOST_CAMPAIGNS)) {
    const same = (await store.lists(id)).findLast(
      (list) => list.mapping !== null && isSame(list.headers, headers),
    );
    if (same !== undefined) return same.mapping ?? undefined;
  }
  return undefined;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((header, index) => header === other[index]);
}
