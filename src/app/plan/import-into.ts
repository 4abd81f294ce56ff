import { invalidFlag } from '../../config/campaign-file.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Agent } from '../../service/port.ts';
import type { ExportCursor, Store } from '../../store/port.ts';
import { counted, shellWord } from '../../text/wording.ts';
import type { ImportView, PlanView } from '../../views/plan.ts';
import { keepingOptOuts } from '../lists/keep-opt-outs.ts';
import { takeNow } from '../lists/lists-of-run.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { requireLists } from '../places/list-or-campaign.ts';
import { viewOf } from '../run/situation.ts';
import { midnightLines } from '../sentences/hours-lines.ts';
import { askForAgent, type Beginning } from '../services/agents.ts';
import { listView } from '../watch/campaigns.ts';
import { historyEntry, type World } from '../world.ts';
import type { CommitOptions } from './approve.ts';
import { checkList, checkPlan } from './check-plan.ts';
import { commitPlan } from './commit-plan.ts';
import { confirmSync, syncKnown } from './import-plan.ts';
import { returnLeads } from './plan-lists.ts';
import { withPlan, type Plan, type PlanRequest } from './plan.ts';
import { unfinishedError } from './unfinished-import.ts';

/** With `yes`, `sync` may cancel many leads without a question. */
type ImportRequest = PlanRequest & Required<Pick<CommitOptions, 'again' | 'sync' | 'yes'>>;

/** Imports a list into a new or existing campaign without calling anybody. */
export async function importInto(request: ImportRequest, world: World): Promise<ImportView> {
  if (request.lists === undefined) requireLists(request.list, world.cwd);
  const { sync, yes, again, instead } = request;
  const importPlan = async (plan: Plan) => {
    if (sync) await keepingOptOuts(plan, world, () => refuseSync(plan, yes, world));
    if (instead === true) await giveUpImport(plan, world);
    if (plan.surveys.length === 0 && plan.resolved.settings.sources === undefined)
      world.tell(`All of ${request.list} is in "${plan.name}" already.`);
    const options = { add: true, yes: false, again, purpose: 'import', sync } as const;
    const done = await commitPlan(plan, options, world);
    const { store, campaign, reports } = done;
    const live = plan.opened.config.live;
    await takeNow({ store, campaign, live }, request, world);
    const open = { store, campaign, world };
    const synced = sync ? await syncKnown(plan, open) : { left: 0, back: 0 };
    const left = done.left + synced.left;
    const back = done.back + synced.back + (await returnLeads(open, plan.phones));
    const { waiting } = await store.progress(campaign.id, world.clock.now());
    for (const line of midnightLines(campaign.settings)) world.tell(line);
    world.tell(await nextStep(open, waiting));
    const known = plan.known.map(({ path }) => path);
    const { name, state, settings } = campaign;
    const lists = reports.map(({ list, ...report }) => {
      return { ...report, list: listView(list, settings.timezone) };
    });
    return { campaign: name, state, waiting, left, back, known, lists };
  };
  return withPlan({ ...request, forLater: true }, world, 'change', importPlan, askForNew);
}

async function refuseSync(plan: Plan, yes: boolean, world: World): Promise<void> {
  // A list that was exported wrongly or cut short must not take everybody out of the campaign.
  if (plan.phones.size === 0) {
    throw invalidFlag(
      '--sync needs a list with good rows: this one has none, and would cancel everybody.',
    );
  }
  await confirmSync(plan, yes, world);
}

/** Only a new campaign needs its agent; an existing one takes rows even when its service does not answer. */
async function askForNew(beginning: Beginning, world: World): Promise<Agent | null | undefined> {
  return beginning.campaign === undefined ? askForAgent(beginning, world) : undefined;
}

const ROWS_AT_ONCE = 1_000;

/**
 * Gives up an import that was broken off, so that another list can take its place. Its waiting leads are cancelled;
 * those that are on the next list wait again. None of them was called: a campaign with an open import makes no calls.
 *
 * @throws AppError `LIST_UNFINISHED` while another process is importing the list
 */
async function giveUpImport(plan: Plan, world: World): Promise<void> {
  const { unfinished, campaign, store } = plan;
  if (unfinished === undefined || campaign === undefined || store === undefined) return;
  if (unfinished.is === 'going_on') throw unfinishedError(unfinished, campaign);
  const { list } = unfinished;
  const { leads, left } = await leaveAll(store, campaign.id, list.number);
  await store.finishList(list.id, { good: leads, rejected: 0, duplicates: 0 });
  const detail = { list: list.path, leads, cancelled: left };
  await store.addHistory(campaign.id, historyEntry(world, 'list.givenUp', detail));
  world.tell(`The import of ${list.path} is given up; ${counted(left, 'lead')} of it cancelled.`);
  plan.unfinished = undefined;
}

async function leaveAll(store: Store, campaignId: string, list: number) {
  let leads = 0;
  let left = 0;
  let after: ExportCursor | null = { list, line: 0 };
  while (after !== null) {
    const page = await store.exportPage(campaignId, after, ROWS_AT_ONCE, 'columns');
    const ours = page.filter(({ cursor }) => cursor.list === list);
    leads += ours.length;
    const open = ours.filter(({ state }) => state !== 'done').map(({ phone }) => phone);
    if (open.length > 0) left += await store.cancelWaiting(campaignId, open, 'left_list');
    after = ours.length === ROWS_AT_ONCE ? (ours.at(-1)?.cursor ?? null) : null;
  }
  return { leads, left };
}

async function nextStep(open: OpenCampaign, waiting: number) {
  const { name, state, pauseReason } = open.campaign;
  const { works, situation } = await viewOf(open);
  const { calls } = works;
  const shown = `Campaign "${name}" (${situation.shown})`;
  if (waiting === 0) return `${shown}: nobody waits to be called.`;
  const next =
    state === 'running' && calls !== null
      ? `the runner (${calls}) calls them`
      : `\`callsheet ${pauseReason === 'operator' ? 'resume' : 'run'} ${shellWord(name)}\` calls them`;
  return `${shown}: ${counted(waiting, 'lead waits', 'leads wait')}; ${next}.`;
}

/** Plans a campaign that is named as the page shows it. @throws AppError those of `checkList` and `checkPlan` */
export async function planCampaign(request: PlanRequest, world: World): Promise<PlanView> {
  const unready = await checkList(request, world);
  if (unready !== undefined) return unready.view;
  return checkPlan(request, world).catch(async (error: unknown) => {
    // The page goes no further with such a list, so an import that is refused, too, keeps who asked not to be called.
    if (error instanceof AppError && error.code === 'LIST_HAS_NO_GOOD_ROW')
      await importInto({ ...request, lists: [], yes: false, again: false, sync: false }, world);
    throw error;
  });
}
