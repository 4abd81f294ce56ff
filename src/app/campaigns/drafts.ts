import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { campaignNameOf } from '../../config/campaign-file.ts';
import { resolveSettings } from '../../config/settings.ts';
import { isSent, type ChosenReading, type MappingChoice } from '../../domain/lists/list-mapping.ts';
import { alignMapping, chosenIn } from '../../leads/columns/remembered-mapping.ts';
import { formatOf, hashOf } from '../../leads/read/list-rows.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import { campaignChanged } from '../../store/campaigns.ts';
import type { ConsoleStore, Upload } from '../../store/console.ts';
import type { Campaign, List, Store } from '../../store/port.ts';
import { formatOptions, NOTHING_CHOSEN, seeList } from '../lists/look.ts';
import { findSent, removeFile, uploadUnknown } from '../lists/uploads.ts';
import {
  databasePlaces,
  findCampaign,
  withCampaign,
  withStore,
  type CampaignRequest,
  type IfVersion,
  type OpenCampaign,
} from '../places/databases.ts';
import {
  homeOf,
  locateDatabase,
  type DatabasePlace,
  type DatabaseRequest,
} from '../places/home.ts';
import { fileOf, unfinishedError, unfinishedImport } from '../plan/unfinished-import.ts';
import { historyEntry, type World } from '../world.ts';

/** So many campaigns are looked through, the newest first. */
const MOST_CAMPAIGNS = 50;
/** Characters of a name made from a file: a campaign's name may have 100, and `-2` follows where it is taken. */
const MOST_CHARACTERS = 95;
/** Endings that a name of a campaign must not have, and those of lists that are packed. */
const ENDINGS = /(\.(csv|tsv|txt|ya?ml|jsonl?|xlsx|gz|zip))+$/i;

type DraftRequest = CampaignRequest & IfVersion;

/** What a draft has from the beginning, instead of what a new one has. */
interface DraftLike extends Pick<Campaign, 'service' | 'simulated' | 'settings'> {
  /** That of the campaign it is like, whose calls count as calls before. */
  place: DatabasePlace | undefined;
  columns: ChosenReading['columns'];
  /** Of its first entry in the history. */
  detail: Record<string, unknown>;
}

/**
 * Makes a campaign in state `draft` of files that were sent, named after the first one. Without `like`, its service and
 * its agent are empty until they are set.
 *
 * @returns its name
 */
export async function createDraft(
  access: ConsoleStore,
  { uploads, like, ...request }: { uploads: readonly string[]; like?: DraftLike } & DatabaseRequest,
  world: World,
): Promise<string> {
  const [first] = await sentFiles(access, uploads, world);
  const name = await freeName(first === undefined ? '' : nameFor(first), request, world);
  const { settings } =
    like ??
    resolveSettings({
      cwd: world.cwd,
      home: homeOf(world).folder,
      // A service that is not chosen yet may call real people.
      defaults: { timezone: world.timezone, agent: '', live: true },
    });
  const { service, simulated } = like ?? { service: '', simulated: false };
  const place = like?.place ?? locateDatabase(request, world, simulated);
  await withStore(place, 'write', world, async (store) => {
    const detail = like?.detail ?? { rulesFrom: 'default' };
    const entry = historyEntry(world, 'campaign.created', detail);
    const made = { id: world.newId('cmp'), name, kind: 'list', service, simulated } as const;
    await store.createCampaign({ ...made, settings, createdAt: entry.at }, entry);
  });
  const columns = like?.columns;
  await addLists(access, { ...request, campaign: name, uploads, columns }, world);
  return name;
}

/**
 * Files that were sent become lists of a draft. Their columns are read as `columns` says, or else as those of the newest
 * list with the same ones.
 * A file that the draft has already is not added again.
 *
 * @returns the version of the campaign then
 */
export function addLists(
  access: ConsoleStore,
  request: DraftRequest & {
    uploads: readonly string[];
    columns?: ChosenReading['columns'] | undefined;
  },
  world: World,
): Promise<number> {
  return withDraft(request, world, async ({ store, campaign }) => {
    const sent = await sentFiles(access, request.uploads, world);
    const names = sent.map(({ name }) => name);
    const version = await change({ store, campaign, world }, request, 'list.sent', {
      lists: names,
    });
    for (const upload of sent) {
      const { id, name, path: file, bytes, at } = upload;
      const { columns } = request;
      const input = columns
        ? { ...NOTHING_CHOSEN, columns }
        : await inputLikeBefore(upload, request, world);
      const sha256 = await hashOfSent(file, input);
      const used = (await store.lists(campaign.id)).map((list) => list.path);
      const list = { id: world.newId('list'), path: freePath(name, used), file, bytes, at };
      // First, so that one upload is taken once: without a list its file goes with the next sweep.
      if (!(await access.removeUpload(id))) throw uploadUnknown(id);
      const kept = await store.beginList(campaign.id, { ...list, sha256, headers: [], input });
      if (kept.id !== list.id && kept.file !== file) await removeFile({ file }, store);
    }
    return version;
  });
}

/** Changes how a list is read that was sent; what is left out stays. */
export function changeReading(
  {
    list: id,
    reading,
    ...request
  }: DraftRequest & { list: string; reading: Partial<ChosenReading> },
  world: World,
): Promise<number> {
  return withDraft(request, world, async ({ store, campaign }) => {
    const lists = await store.lists(campaign.id);
    const list = requireSent(lists, id);
    const input = { ...NOTHING_CHOSEN, ...list.input, ...reading };
    const sha256 = await hashOfSent(fileOf(list), input);
    if (lists.some((one) => one.id !== id && one.sha256 === sha256))
      throw usageError(
        'LIST_SENT_TWICE',
        `Another list of this campaign has the same rows as ${list.path} read in this way.`,
        'take one of the two out, or choose another sheet',
      );
    const version = await change({ store, campaign, world }, request, 'list.readOtherwise', {
      list: list.path,
    });
    if (!(await store.changeSent({ id, sha256, input }))) throw notSent(id);
    return version;
  });
}

/** Takes a list out of a draft and deletes its file. @throws AppError those of `addLists`, `LIST_NOT_SENT` (exit 2) */
export function removeList(
  { list: id, ...request }: DraftRequest & { list: string },
  world: World,
): Promise<number> {
  return withDraft(request, world, async ({ store, campaign }) => {
    const list = requireSent(await store.lists(campaign.id), id);
    const version = await change({ store, campaign, world }, request, 'list.removed', {
      list: list.path,
    });
    if (!(await store.removeSent(id))) throw notSent(id);
    await removeFile(list, store);
    return version;
  });
}

/** Deletes a draft that has no people yet, with its lists and their files. */
export function removeDraft(request: DraftRequest, world: World): Promise<void> {
  return withDraft(request, world, async ({ store, campaign }) => {
    const { id, name, version } = campaign;
    if ((request.ifVersion ?? version) !== version)
      throw campaignChanged(name, await store.history(id));
    // Its people may all be still to come.
    const unfinished = await unfinishedImport(store, campaign, world);
    if (unfinished?.is === 'going_on') throw unfinishedError(unfinished, campaign);
    const lists = await store.lists(id);
    if (!(await store.removeDraft(id))) throw isStarted(name);
    for (const list of lists) await removeFile(list, store);
  });
}

function withDraft<T>(
  request: DraftRequest,
  world: World,
  use: (open: OpenCampaign) => Promise<T>,
): Promise<T> {
  return withCampaign(request, world, 'write', (open) => {
    if (open.campaign.state !== 'draft') throw isStarted(open.campaign.name);
    return use(open);
  });
}

/** Counts as a change of the campaign, so that of two people the slower one is told. @returns its version then */
async function change(
  { store, campaign, world }: OpenCampaign,
  { ifVersion }: DraftRequest,
  what: string,
  detail: Record<string, unknown>,
): Promise<number> {
  const entry = historyEntry(world, what, detail);
  return (await store.changeCampaign(campaign.id, { ifVersion }, entry)).version;
}

async function sentFiles(
  access: ConsoleStore,
  uploads: readonly string[],
  world: World,
): Promise<Upload[]> {
  const found: Upload[] = [];
  for (const id of new Set(uploads)) found.push(await findSent(access, id, world));
  return found;
}

function requireSent(lists: readonly List[], id: string): List {
  const found = lists.find((list) => list.id === id && isSent(list));
  if (found !== undefined) return found;
  throw notSent(id);
}

function notSent(id: string): AppError {
  return usageError(
    'LIST_NOT_SENT',
    `There is no list "${id}" that waits to be imported; it was taken out, or its people are in.`,
    'look at the campaign again',
  );
}

function isStarted(name: string): AppError {
  return usageError(
    'CAMPAIGN_STARTED',
    `Campaign "${name}" is no draft without people: its lists stay as they are.`,
    'cancel and archive it to have it out of the way',
  );
}

/** The name that a campaign gets from a list, however that is packed: `spring.csv.gz` is `spring`. */
function nameFor({ name }: Upload): string {
  const short = Array.from(campaignNameOf(name)).slice(0, MOST_CHARACTERS).join('');
  return short.replace(ENDINGS, '').trim();
}

async function freeName(wanted: string, request: DatabaseRequest, world: World): Promise<string> {
  const name = wanted === '' ? 'campaign' : wanted;
  let free = name;
  for (let n = 2; (await findCampaign(free, request, world)) !== undefined; n++)
    free = `${name}-${n}`;
  return free;
}

/** A second list of a name gets a number: `leads-2.csv`. */
function freePath(name: string, used: readonly string[]): string {
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  let free = name;
  for (let n = 2; used.includes(free); n++) free = `${stem}-${n}${ending}`;
  return free;
}

/** The hash by which the import knows the list; of a file that is no list, of its bytes. */
async function hashOfSent(file: string, input: ChosenReading): Promise<string> {
  try {
    return await hashOf(file, await formatOf(file, formatOptions(input)));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const hash = createHash('sha256');
    for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) hash.update(bytes);
    return hash.digest('hex');
  }
}

async function inputLikeBefore(
  { path, name }: Upload,
  request: DatabaseRequest,
  world: World,
): Promise<ChosenReading> {
  const columns: ChosenReading['columns'] = {};
  try {
    const { headers, headerLine } = await seeList(path, name, NOTHING_CHOSEN, world);
    // Lists without column names have nothing by which they are alike.
    const chosen = headerLine === 0 ? [] : await chosenBefore(headers, request, world);
    for (const { target, column } of chosen)
      if (column !== null) columns[`#${column + 1}`] = target;
  } catch (error) {
    // What is wrong with the file is told where its columns are shown.
    if (!(error instanceof AppError)) throw error;
  }
  return { ...NOTHING_CHOSEN, columns };
}

async function chosenBefore(
  headers: readonly string[],
  request: DatabaseRequest,
  world: World,
): Promise<MappingChoice[]> {
  for (const place of databasePlaces(request, world)) {
    const found = await withStore(place, 'read', world, (store) => newestIn(store, headers));
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
