import { join } from 'node:path';

import type { CampaignSettings } from '../../domain/campaign.ts';
import type { E164 } from '../../domain/phone.ts';
import { importList, type ImportReport, type Survey } from '../../leads/import.ts';
import { nameIn } from '../../results/columns.ts';
import type { Campaign, List, Progress, Store } from '../../store/port.ts';
import { grouped } from '../../text/amounts.ts';
import { counted } from '../../text/wording.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { STANDARD_INPUT } from '../places/list-or-campaign.ts';
import { requireConfirmed } from '../typed.ts';
import { importLines, mapFlags } from '../sentences/import-lines.ts';
import { historyEntry, type World } from '../world.ts';
import { removeFile } from '../lists/uploads.ts';
import { bringsBack, phonePages, returnLeads } from './plan-lists.ts';
import type { ListInput, Numbers, PlannedLists } from './plan-lists.ts';

/** How many of the people who would leave are named. */
const NAMED = 3;
/** The usual share of people who disappear from a list in a day; a larger share suggests a truncated list. */
const USUAL_SHARE = 0.2;

/**
 * Asks before many people leave a campaign, because a truncated list looks like one from which people were removed.
 *
 * @throws AppError `NOT_CONFIRMED` (exit 2), before anything was changed
 */
export async function confirmSync(
  plan: GivenLists & {
    campaign: Campaign | undefined;
    store: Store | undefined;
    progress: Progress | undefined;
  },
  yes: boolean,
  world: World,
): Promise<void> {
  const { phones, campaign, store, progress } = plan;
  if (campaign === undefined || store === undefined) return;
  const open = { store, campaign, world };
  const waiting = progress?.waiting ?? 0;
  const some: E164[] = [];
  let leaving = 0;
  for await (const outside of waitingOutside(open, phones)) {
    some.push(...outside.slice(0, NAMED - some.length));
    leaving += outside.length;
  }
  if (leaving <= waiting * USUAL_SHARE) return;
  const who = await Promise.all(some.map((phone) => personIn(open, phone)));
  const more = leaving > who.length ? ` and ${grouped(leaving - who.length)} more` : '';
  const what = `${grouped(leaving)} of ${grouped(waiting)} waiting people are not on ${theseLists(plan)} and would not be called: ${who.join(', ')}${more}.`;
  world.tell(what);
  if (yes) return;
  const hint = 'check whether the list was cut short; if it is complete, give --yes';
  await requireConfirmed(world, {
    question: 'Is the list complete? Type yes to take them out of the campaign:',
    needed: `--sync would take ${grouped(leaving)} of ${grouped(waiting)} waiting people out`,
    undone: 'nobody was removed, nothing was changed',
    retry: hint,
    hint,
  });
}

/**
 * Applies `--sync` for lists that were all imported before. The import of one counts as open meanwhile: nobody who is
 * to leave is called, and if this is interrupted, the next import or run finishes it.
 */
export async function syncKnown(
  plan: GivenLists,
  open: OpenCampaign,
): Promise<Pick<Imported, 'left' | 'back'>> {
  const { known, surveys, goesOn, phones } = plan;
  const { store, campaign, world } = open;
  const synced: Synced = { left: 0, back: 0 };
  const list = known.find((one) => surveys.every(({ sha256 }) => sha256 !== one.sha256));
  if (list === undefined) return synced;
  const owner = { ...world.owner, seenAt: world.clock.now(), with: othersOf(plan, list.sha256) };
  await store.beginList(campaign.id, { ...list, complete: true, importer: owner });
  const seen = () => store.importSeen(list.id, world.owner, world.clock.now());
  await cancelLeft(open, phones, seen, synced);
  synced.back = await returnLeads(open, phones);
  await store.finishList(list.id, list);
  // With a new list everybody has left already, and was counted.
  const isToldOf = surveys.some(({ sha256 }) => sha256 !== goesOn?.sha256);
  if (!isToldOf || synced.left > 0) tellSynced(plan, synced, world);
  return synced;
}

/** The paths of the lists that are given together with one. */
function othersOf({ known, surveys, goesOn }: GivenLists, sha256: string): string[] {
  const others = [...known, ...surveys].filter(
    (one) => one.sha256 !== sha256 && one.sha256 !== goesOn?.sha256,
  );
  return [...new Set(others.map(({ path }) => path))];
}

/** Cancels at most 1,000 leads per transaction, so as not to delay a runner; `seen` is called after each. */
async function cancelLeft(
  open: OpenCampaign,
  phones: Numbers,
  seen: () => Promise<void>,
  synced: Synced,
): Promise<void> {
  const { store, campaign, world } = open;
  let left = 0;
  for await (const outside of waitingOutside(open, phones)) {
    left += await store.cancelWaiting(campaign.id, outside, 'left_list');
    await seen();
  }
  let inCall = 0;
  for await (const calling of phonePages(open, 'callingPhones', (phone) => !phones.has(phone))) {
    await store.cancelWaiting(campaign.id, calling, 'left_list');
    inCall += calling.length;
  }
  for await (const missed of phonePages(open, 'missedPhones', (phone) => !phones.has(phone)))
    await store.cancelWaiting(campaign.id, missed, 'left_list');
  const detail = { cancelled: left, inCall, onList: phones.size };
  await store.addHistory(campaign.id, historyEntry(world, 'leads.synced', detail));
  synced.left += left;
  synced.inCall = inCall;
}

/** Tells who has left, once for all lists; nothing where none of them was complete. */
function tellSynced(lists: GivenLists, { left, inCall }: Synced, world: World): void {
  if (inCall === undefined) return;
  const these = theseLists(lists);
  const are = left === 1 ? 'is' : 'are';
  world.tell(`${counted(left, 'waiting lead')} not on ${these} ${are} cancelled.`);
  if (inCall === 0) return;
  const who = counted(inCall, 'person', 'people');
  world.tell(
    `${who} not on ${these} ${inCall === 1 ? 'is' : 'are'} in a call, in doubt or withdrawn: not called again.`,
  );
}

function theseLists({ known, surveys, goesOn }: GivenLists): string {
  // A list that was broken off is complete by itself.
  return goesOn === undefined && known.length + surveys.length > 1 ? 'these lists' : 'this list';
}

/** The numbers of waiting leads that are not on a list, up to 1,000 at a time. */
export function waitingOutside(open: OpenCampaign, phones: Numbers): AsyncGenerator<E164[]> {
  return phonePages(open, 'waitingPhones', (phone) => !phones.has(phone));
}

/** A lead for a message: `Al Mill (+12125550100)`, or the number alone. */
async function personIn({ store, campaign: { id } }: OpenCampaign, phone: E164): Promise<string> {
  const lead = (await store.findLeads(phone, 20)).find(({ campaignId }) => campaignId === id);
  const list = (await store.lists(id)).find(({ number }) => number === lead?.list);
  const name = nameIn(list, lead?.cells ?? []);
  return name === null ? phone : `${name} (${phone})`;
}

type GivenLists = Pick<PlannedLists, 'known' | 'surveys' | 'phones'> & { goesOn: List | undefined };

/** What of a plan its lists are imported by. */
type ImportablePlan = GivenLists &
  Pick<PlannedLists, 'inputs'> & {
    input: ListInput;
    opened: { config: { live: boolean } };
    resolved: { settings: Pick<CampaignSettings, 'country' | 'numbers' | 'policy'> };
  };

/** The outcome of importing lists. */
export interface Imported {
  reports: ImportReport[];
  /** `left`: waiting leads that were cancelled, not on a complete list. `back`: leads that had left and wait again. */
  left: number;
  back: number;
}

interface Synced extends Pick<Imported, 'left' | 'back'> {
  /** People who are on no list, and in a call or in doubt; undefined: nobody had to leave. */
  inCall?: number;
}

/**
 * Imports the lists of a plan one after the other, and reports on each. Leads that had left and are on a new list wait
 * again. With `sync`, waiting leads that are not on the list are cancelled before the campaign calls again.
 *
 * @param sync the given lists are complete
 */
export async function importPlanned(
  plan: ImportablePlan,
  open: OpenCampaign,
  sync: boolean,
): Promise<Imported> {
  const { campaign, world } = open;
  const all: Imported & Synced = { reports: [], left: 0, back: 0 };
  for (const survey of plan.surveys) {
    const { path, scanned } = survey;
    const report = await importOne(plan, survey, open, sync, all);
    all.reports.push(report);
    await removeFile(report.list, open.store);
    const mapped = mapFlags(scanned, inputFor(plan, path).choices.length > 0);
    for (const line of importLines(report, campaign.name, mapped)) world.tell(line);
    keep(`all ${grouped(report.rows)} rows of ${path} are in`, world);
  }
  tellSynced(plan, all, world);
  return all;
}

async function importOne(
  plan: ImportablePlan,
  { path, scanned, phones, sha256, rows }: Survey,
  open: OpenCampaign,
  sync: boolean,
  all: Imported & Synced,
): Promise<ImportReport> {
  const { store, campaign, world } = open;
  const { country, numbers: policy, policy: calling } = plan.resolved.settings;
  const progress = world.progress(`Importing ${path}`);
  const again = path === STANDARD_INPUT ? ' (with the same bytes)' : '';
  const goesOn = plan.goesOn?.sha256 === sha256;
  const tellDone = (done: number) =>
    keep(`${grouped(done)} of ${grouped(rows)} rows of ${path}${again} are in`, world);
  tellDone(0);
  return importList(store, campaign.id, scanned, {
    ...inputFor(plan, path),
    complete: sync && !goesOn,
    with: sync && !goesOn ? othersOf(plan, sha256) : [],
    owner: world.owner,
    policy,
    calling,
    onProgress: (done) => {
      tellDone(done.done);
      progress.onProgress(done);
    },
    signal: world.underway?.signal,
    hasOwnProcess: world.underway?.hasOwnProcess,
    beforeFinish: async (list, seen) => {
      // Given lists are complete together; one that was broken off is not given now.
      if (list.complete) await cancelLeft(open, goesOn ? phones : plan.phones, seen, all);
      if (bringsBack(plan.known, sha256)) all.back += await returnLeads(open, phones);
    },
    country,
    refuseFictional: plan.opened.config.live,
    clock: world.clock,
    newId: world.newId,
    rejectsDir: join(store.folder, 'rejects'),
  }).finally(progress.stop);
}

function inputFor({ inputs, input }: ImportablePlan, path: string): ListInput {
  return inputs?.get(path) ?? input;
}

/** Keeps the sentence that Ctrl-C prints about what is stored so far. */
function keep(what: string, { underway }: World): void {
  if (underway !== undefined) underway.kept = what;
}
