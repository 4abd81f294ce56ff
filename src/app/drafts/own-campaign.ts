import type { ConsoleStore } from '../../store/console.ts';
import { findCampaign, withStore } from '../places/databases.ts';
import { nameTaken } from '../places/name-taken.ts';
import type { World } from '../world.ts';
import { nameOf, type DraftFiles } from './draft-request.ts';
import type { OpenDraft } from './draft.ts';
import { listNames } from './list-names.ts';

/**
 * The id for the campaign of a draft: of the one whose import was broken off, or a new one. It is kept with the draft
 * before anything is imported, so that after a crash the draft knows its campaign from another one of the same name.
 *
 * @throws AppError `CAMPAIGN_EXISTS` (exit 2)
 */
export async function beginOwn(
  access: ConsoleStore,
  draft: OpenDraft,
  files: DraftFiles,
  world: World,
): Promise<string> {
  const begun = await findOwn(draft, files, world);
  if (begun !== undefined) return begun;
  const campaign = world.newId('cmp');
  await access.setDraftCampaign({ id: draft.id, campaign });
  return campaign;
}

/**
 * Refuses a name that a campaign has, unless that is the one that this draft has begun: it is not started, and has no
 * list but those of the draft.
 *
 * @returns the id of that campaign; undefined: the name is free
 * @throws AppError `CAMPAIGN_EXISTS` (exit 2)
 */
export async function findOwn(
  draft: OpenDraft,
  files: DraftFiles,
  world: World,
): Promise<string | undefined> {
  const name = nameOf(draft);
  const found = await findCampaign(name, files, world);
  if (found === undefined) return undefined;
  const { campaign, place } = found;
  const { id, state, archivedAt } = campaign;
  if (id !== draft.campaign || state !== 'draft' || archivedAt !== undefined) throw nameTaken(name);
  const names = listNames(draft.uploads);
  const lists = await withStore(place.path, 'read', world, (store) => store.lists(id));
  const areOurs = lists.every(({ path, bytes }) =>
    draft.uploads.some((upload) => names.get(upload.id) === path && upload.bytes === bytes),
  );
  if (!areOurs) throw nameTaken(name);
  return id;
}
