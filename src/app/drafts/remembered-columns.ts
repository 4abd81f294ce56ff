import type { MappingChoice } from '../../domain/lists/list-mapping.ts';
import { alignMapping, chosenIn } from '../../leads/columns/remembered-mapping.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Upload } from '../../store/console.ts';
import type { Store } from '../../store/port.ts';
import type { DatabaseRequest } from '../places/database-place.ts';
import { databasePlaces, withStore } from '../places/databases.ts';
import type { World } from '../world.ts';
import { listInput, type DraftBody, type DraftInput } from './draft.ts';
import { seeList } from './look.ts';

/** So many campaigns are looked through, the newest first. */
const MOST_CAMPAIGNS = 50;

/**
 * How each upload is read. Where nobody has chosen anything for an upload yet, it gets what people chose for the newest
 * list with the same columns; everything else is read from its own cells.
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
    const { headers, headerLine } = await seeList(path, name, input);
    // Lists without column names have nothing by which they are alike.
    const chosen = headerLine === 0 ? [] : await chosenBefore(headers, files, world);
    for (const { target, column } of chosen)
      if (column !== null) input.columns[`#${column + 1}`] = target;
    return input;
  } catch (error) {
    // What is wrong with the file is told where its columns are shown.
    if (error instanceof AppError) return input;
    throw error;
  }
}

async function chosenBefore(
  headers: readonly string[],
  files: DatabaseRequest,
  world: World,
): Promise<MappingChoice[]> {
  for (const { path } of databasePlaces(files, world)) {
    const found = await withStore(path, 'read', world, (store) => newestIn(store, headers));
    if (found !== undefined) return found;
  }
  return [];
}

async function newestIn(store: Store, headers: readonly string[]) {
  const campaigns = (await store.listCampaigns()).toSorted((a, b) => b.createdAt - a.createdAt);
  for (const { id } of campaigns.slice(0, MOST_CAMPAIGNS)) {
    const same = (await store.lists(id))
      .map((list) => list.mapping && alignMapping(list.mapping, list.headers, headers))
      .findLast((mapping) => mapping != null && chosenIn(mapping).length > 0);
    if (same != null) return chosenIn(same);
  }
  return undefined;
}
