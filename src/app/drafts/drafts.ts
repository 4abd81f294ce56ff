import type { MappingChoice } from '../../domain/lists/list-mapping.ts';
import { alignMapping, chosenIn } from '../../leads/columns/remembered-mapping.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import type { ConsoleStore, Upload } from '../../store/console.ts';
import type { Store } from '../../store/port.ts';
import type { DatabaseRequest } from '../places/home.ts';
import { databasePlaces, withStore } from '../places/databases.ts';
import type { World } from '../world.ts';
import {
  campaignNameFor,
  draftBody,
  DraftChanged,
  listInput,
  openDraft,
  withUploads,
  type DraftBody,
  type DraftInput,
  type OpenDraft,
  type StoredBody,
} from './draft.ts';
import { seeList } from './look.ts';
import { findUpload, removeUpload } from './uploads.ts';

/** So many campaigns are looked through, the newest first. */
const MOST_CAMPAIGNS = 50;

/**
 * How each upload is read. Where nobody has chosen anything for an upload yet, it gets what people chose for the newest
 * list with the same columns; everything else is read from its own cells.
 */
async function rememberColumns(
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

/** All drafts, the one that was changed last first; at most 200. */
export async function listDrafts(access: ConsoleStore): Promise<OpenDraft[]> {
  const found: OpenDraft[] = [];
  for (const draft of await access.drafts()) found.push(await withUploads(access, draft));
  return found;
}

/**
 * Begins a campaign, named after its first list. Columns that were chosen for lists with the same headers are chosen again.
 *
 * @throws AppError `UPLOAD_UNKNOWN`, `UPLOAD_TAKEN`
 */
export async function createDraft(
  access: ConsoleStore,
  { uploads, ...files }: { uploads: readonly string[] } & DatabaseRequest,
  world: World,
): Promise<OpenDraft> {
  const id = world.newId('draft');
  const sent = await requireFree(access, id, [...new Set(uploads)]);
  const [first] = sent;
  const name = first === undefined ? '' : campaignNameFor(first);
  const given = draftBody.parse({ name, uploads: sent.map((upload) => upload.id) });
  const lists = await rememberColumns(sent, given.lists, files, world);
  const body: StoredBody = { ...given, lists, names: namesOf(sent) };
  const draft = await access.addDraft({ id, at: world.clock.now(), who: world.user, body });
  for (const upload of body.uploads) await access.setUploadDraft({ id: upload, draft: id });
  return withUploads(access, draft);
}

type DraftChange = Partial<DraftBody> & {
  /** The version that was looked at; default: whichever it is. */
  ifVersion?: number | undefined;
  /** Names of those lists that went away and are still missed. A list that is sent again is missed no more. */
  gone?: readonly string[] | undefined;
};

/**
 * Changes what is given. Uploads that are taken out stay for a day; those that are new are read as a list of the same
 * name was that went away, or get the columns that were chosen for lists with the same headers.
 *
 * @throws AppError `DRAFT_UNKNOWN`, `DraftChanged`, `UPLOAD_UNKNOWN`, `UPLOAD_TAKEN`
 */
export async function changeDraft(
  access: ConsoleStore,
  id: string,
  { ifVersion, ...change }: DraftChange & DatabaseRequest,
  world: World,
): Promise<OpenDraft> {
  const before = await openDraft(access, id);
  if (ifVersion !== undefined && ifVersion !== before.version) throw new DraftChanged(before);
  const { db, gone: missed, ...changes } = change;
  const merged = { ...before.body, ...changes };
  const uploads = [...new Set(merged.uploads)];
  const sent = await requireFree(access, id, uploads);
  const known = { ...inputsOfGone(before, sent), ...merged.lists };
  const lists = await rememberColumns(sent, known, { db }, world);
  const gone = before.gone.filter(
    ({ name }) => (missed ?? [name]).includes(name) && !sent.some((upload) => upload.name === name),
  );
  for (const { id: old, input } of gone) if (input !== undefined) lists[old] = input;
  const names = namesOf([...sent, ...gone]);
  const body: StoredBody = { ...merged, uploads, lists, names };
  const { version } = before;
  const at = world.clock.now();
  const draft = await access.changeDraft({ id, version, who: world.user, body, changedAt: at });
  if (draft === undefined) throw new DraftChanged(await openDraft(access, id));
  const removed = before.body.uploads.filter((upload) => !uploads.includes(upload));
  for (const upload of removed) await access.setUploadDraft({ id: upload, draft: null });
  for (const upload of uploads) await access.setUploadDraft({ id: upload, draft: id });
  return withUploads(access, draft);
}

/** Removes a draft and the files of its uploads. @throws AppError `DRAFT_UNKNOWN` */
export async function removeDraft(access: ConsoleStore, id: string): Promise<void> {
  const { uploads } = await openDraft(access, id);
  await access.removeDraft(id);
  for (const upload of uploads) await removeUpload(access, upload.id);
}

function namesOf(lists: readonly Pick<Upload, 'id' | 'name'>[]): Record<string, string> {
  return Object.fromEntries(lists.map(({ id, name }) => [id, name]));
}

/** How lists are to be read that went away and are sent again, by upload. */
function inputsOfGone({ body, gone }: OpenDraft, sent: readonly Upload[]) {
  const inputs: DraftBody['lists'] = {};
  for (const { id, name } of sent) {
    const input = gone.find((one) => one.name === name)?.input;
    if (input !== undefined && !body.uploads.includes(id)) inputs[id] = input;
  }
  return inputs;
}

async function requireFree(
  access: ConsoleStore,
  id: string,
  uploads: readonly string[],
): Promise<Upload[]> {
  const found: Upload[] = [];
  for (const each of uploads) found.push(await freeUpload(access, each, id));
  return found;
}

/**
 * An upload that no draft but `own` has: a file belongs to one draft, whose campaign takes it away.
 *
 * @throws AppError `UPLOAD_UNKNOWN`, `UPLOAD_TAKEN`
 */
export async function freeUpload(access: ConsoleStore, id: string, own?: string): Promise<Upload> {
  const upload = await findUpload(access, id);
  const { draft, name } = upload;
  if (draft === null || draft === own || (await access.findDraft(draft)) === undefined)
    return upload;
  throw usageError(
    'UPLOAD_TAKEN',
    `${name} belongs to a new campaign, which will take it.`,
    'send the file again, or take it out of that campaign',
  );
}
