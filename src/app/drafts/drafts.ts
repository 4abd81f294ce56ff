import { usageError } from '../../runtime/errors.ts';
import type { ConsoleStore, Upload } from '../../store/console.ts';
import type { DatabaseRequest } from '../places/database-place.ts';
import type { World } from '../world.ts';
import {
  draftBody,
  DraftChanged,
  openDraft,
  withUploads,
  type DraftBody,
  type OpenDraft,
  type StoredBody,
} from './draft.ts';
import { campaignNameFor } from './list-names.ts';
import { rememberColumns } from './remembered-columns.ts';
import { findUpload, removeUpload } from './uploads.ts';

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

export type DraftChange = Partial<DraftBody> & {
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
