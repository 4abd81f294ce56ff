import { usageError } from '../../runtime/errors.ts';
import type { ConsoleStore } from '../../store/console.ts';
import type { DatabaseRequest } from '../places/database-place.ts';
import type { World } from '../world.ts';
import {
  draftBody,
  DraftChanged,
  openDraft,
  withUploads,
  type DraftBody,
  type OpenDraft,
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
  const first = await requireFree(access, id, uploads);
  const name = first === undefined ? '' : campaignNameFor(first);
  const given = draftBody.parse({ name, uploads: [...new Set(uploads)] });
  const body = { ...given, lists: await rememberColumns(access, given, files, world) };
  const draft = await access.addDraft({ id, at: world.clock.now(), who: world.user, body });
  for (const upload of body.uploads) await access.setUploadDraft({ id: upload, draft: id });
  return withUploads(access, draft);
}

export type DraftChange = Partial<DraftBody> & {
  /** The version that was looked at; default: whichever it is. */
  ifVersion?: number | undefined;
};

/**
 * Changes what is given. Uploads that are taken out stay for a day; those that are new get the columns that were chosen
 * for lists with the same headers.
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
  const { db, ...changes } = change;
  const merged = { ...before.body, ...changes };
  const uploads = [...new Set(merged.uploads)];
  await requireFree(access, id, uploads);
  const lists = await rememberColumns(access, { ...merged, uploads }, { db }, world);
  const body = { ...merged, uploads, lists };
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

/** A file belongs to one draft, whose campaign takes it away. @returns the first of them */
async function requireFree(access: ConsoleStore, id: string, uploads: readonly string[]) {
  const found = [];
  for (const each of uploads) {
    const upload = await findUpload(access, each);
    found.push(upload);
    if (upload.draft === null || upload.draft === id) continue;
    if ((await access.findDraft(upload.draft)) === undefined) continue;
    throw usageError(
      'UPLOAD_TAKEN',
      `${upload.name} belongs to another draft, whose campaign will take it.`,
      'send the file again',
    );
  }
  return found[0];
}
