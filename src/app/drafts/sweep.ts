import { readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../../domain/time-units.ts';
import type { ConsoleStore } from '../../store/console.ts';
import type { World } from '../world.ts';
import type { DraftFiles } from './draft-request.ts';
import { listDrafts, removeDraft } from './drafts.ts';
import { listsOfOwn } from './plan-draft.ts';
import { removeUpload, type UploadPlace } from './uploads.ts';

/**
 * Removes drafts whose lists are all in their campaigns, for example after a kill. Deletes uploads a day after they were
 * sent, those of a draft a day after its last change, and files that a killed process has left in the folder. A draft
 * stays, and knows which of its lists are gone. A draft whose campaign was begun, or cannot be read, keeps its uploads.
 *
 * @param isInUse whether work on a draft reads its uploads now, so that they stay
 * @returns how many uploads were deleted
 */
export async function sweepUploads(
  access: ConsoleStore,
  { folder, files }: Pick<UploadPlace, 'folder'> & { files: DraftFiles },
  world: World,
  isInUse: (draft: string) => boolean,
): Promise<number> {
  const kept = new Set<string>();
  for (const draft of await listDrafts(access)) {
    const { id, uploads, gone } = draft;
    if (isInUse(id)) continue;
    const lists = await listsOfOwn(draft, files, world).catch(world.keepStack);
    const isIn = lists?.flatMap(({ list, upload }) => (list.finishedAt === null ? [] : upload));
    const isDone = uploads.length > 0 && gone.length === 0;
    if (isDone && uploads.every((upload) => isIn?.includes(upload.id)))
      await removeDraft(access, id);
    else if (lists?.length !== 0) kept.add(id);
  }
  const yesterday = world.clock.now() - DAY_MS;
  let deleted = 0;
  for (const { id, at, draft } of await access.uploads({ before: yesterday })) {
    const owner = draft === null ? undefined : await access.findDraft(draft);
    if (Math.max(at, owner?.changedAt ?? at) >= yesterday) continue;
    if (owner !== undefined && (isInUse(owner.id) || kept.has(owner.id))) continue;
    await removeUpload(access, id);
    deleted += 1;
  }
  for (const name of foldersIn(folder)) {
    const path = join(folder, name);
    const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (at < yesterday && (await access.findUpload(name)) === undefined)
      await rm(path, { recursive: true, force: true });
  }
  return deleted;
}

/** Empty where there is no folder yet. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
