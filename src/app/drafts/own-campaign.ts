import type { ConsoleStore, Upload } from '../../store/console.ts';
import type { List } from '../../store/port.ts';
import { databasePlaces, findCampaign, withStore } from '../places/databases.ts';
import { nameTaken } from '../places/name-taken.ts';
import type { World } from '../world.ts';
import { nameOf, type DraftFiles } from './draft-request.ts';
import type { OpenDraft } from './draft.ts';
import { listDrafts } from './drafts.ts';
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

/** The draft of a campaign, while lists of it may be missing; undefined: it was removed, or there was none. */
export async function draftOfCampaign(
  access: ConsoleStore,
  name: string,
  files: DraftFiles,
  world: World,
): Promise<OpenDraft | undefined> {
  const id = (await findCampaign(name, files, world))?.campaign.id;
  const drafts = await listDrafts(access);
  return drafts.find(({ campaign, uploads }) => uploads.length > 0 && campaign === id);
}

/** The lists that the campaign of a draft has, each with whether it is one of the draft's; empty: no campaign is made. */
export async function listsOfOwn(
  { campaign, uploads }: Pick<OpenDraft, 'campaign' | 'uploads'>,
  files: DraftFiles,
  world: World,
) {
  const names = listNames(uploads);
  const found: { list: List; upload: string | undefined }[] = [];
  for (const place of campaign === null ? [] : databasePlaces(files, world)) {
    const lists = withStore(place.path, 'read', world, (store) => store.lists(campaign ?? ''));
    for (const list of await lists) {
      const isOf = ({ id, bytes }: Upload) => names.get(id) === list.path && bytes === list.bytes;
      found.push({ list, upload: uploads.find(isOf)?.id });
    }
  }
  return found;
}

/**
 * Refuses a name that a campaign has, unless that is the one that this draft has begun: it has no list but those of the
 * draft.
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
  const { id, archivedAt } = found.campaign;
  if (id !== draft.campaign || archivedAt !== undefined) throw nameTaken(name);
  const lists = await listsOfOwn(draft, files, world);
  if (lists.some(({ upload }) => upload === undefined)) throw nameTaken(name);
  return id;
}
