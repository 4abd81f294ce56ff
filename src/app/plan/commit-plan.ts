import { isDeepStrictEqual } from 'node:util';

import type { RequiredVariables } from '../../domain/campaign.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Agent } from '../../service/port.ts';
import { campaignChanged } from '../../store/campaigns.ts';
import type { Campaign, CampaignChange, Store } from '../../store/port.ts';
import { counted, shellWord } from '../../text/wording.ts';
import { keepingOptOuts } from '../lists/keep-opt-outs.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { dutyKey } from '../rules/duties.ts';
import { columnLines } from '../sentences/import-lines.ts';
import { dutiesToName } from '../sentences/plan-lines.ts';
import { seen, watchAgent } from '../services/agents.ts';
import { historyEntry, type World } from '../world.ts';
import { approve, refuseMistakes, staysPaused, type CommitOptions } from './approve.ts';
import { importPlanned, waitingOutside } from './import-plan.ts';
import type { Plan } from './plan.ts';
import { keepConfirmed } from './repeated-lists.ts';
import { unfinishedError, unfinishedSentence } from './unfinished-import.ts';

/**
 * Asks for a yes if people would be called, then stores the plan: database, campaign, settings, leads, state.
 *
 * @returns `mayDial`: true when the campaign is not paused, and every question was answered with yes
 * @throws AppError `CAMPAIGN_EXISTS`, those of `refuseMistakes`, `checkAgent` and `requireYes` before anything is
 *   changed; those of the import
 */
export async function commitPlan(given: Plan, options: CommitOptions, world: World) {
  const { approved, agent, repeated, needed } = await keepingOptOuts(given, world, async () => {
    refuseBesideImport(given, options);
    refuseMistakes(given, options);
    for (const { scanned } of given.surveys)
      for (const line of columnLines(scanned, scanned.memory.cells)) world.tell(line);
    return approve(given, options, world);
  });
  await options.assertResults?.();
  const store = await given.createStore();
  await requireAsPlanned(given, store);
  const begun = await begin(withNeeded(given, needed), store, { agent, ...options }, world);
  const plan = withNeeded(begun.plan, needed);
  await keepConfirmed(repeated, { store, campaign: begun.campaign, world });
  // Nobody changes a draft while its lists are asked about and taken in; a campaign that is called may be changed.
  const isDraft = given.campaign?.state === 'draft';
  const campaign = await keepChanges(plan, { store, campaign: begun.campaign, world }, isDraft);
  const open = { store, campaign, world };
  if (agent !== null) await watchAgent(store, campaign, agent, world);
  const imported = await importPlanned(plan, open, options.sync ?? false);
  if (options.add && options.purpose !== 'import') await tellWhoIsNotOnList(plan, open);
  const { unfinished } = plan;
  const isHeldUp = unfinished !== undefined && unfinished.is !== 'going_on';
  // A run that the import holds up prints this sentence at its end, as the reason.
  if (unfinished !== undefined && !(isHeldUp && options.purpose === 'run'))
    world.tell(unfinishedSentence(unfinished, campaign));
  const stays = options.purpose === 'import' || isHeldUp;
  const now = stays ? campaign : await start(plan, open, options, isDraft);
  const mayDial = approved && !staysPaused(now, options) && !isHeldUp;
  return { store, campaign: now, mayDial, ...imported };
}

/** The plan whose campaign keeps which columns must not be blank. */
function withNeeded(plan: Plan, variables: RequiredVariables | undefined): Plan {
  const { campaign, resolved } = plan;
  const before = campaign?.settings.variables;
  if (variables === undefined || isDeepStrictEqual(before, variables)) return plan;
  const [from = '', to = ''] = [before, variables].map(
    (each) => `[${each?.columns?.join(', ') ?? ''}]`,
  );
  const change = { key: 'variables', from, to, source: "the agent's prompt" };
  const others = resolved.changes.filter(({ key }) => key !== 'variables');
  const changes = campaign === undefined ? resolved.changes : [...others, change];
  return {
    ...plan,
    resolved: { ...resolved, settings: { ...resolved.settings, variables }, changes },
  };
}

/**
 * The yes was for the campaign as it was planned: a draft as a whole, with its lists, of another one service and settings.
 */
async function requireAsPlanned({ campaign }: Plan, store: Store): Promise<void> {
  if (campaign === undefined) return;
  const { id, name, state, version, service, settings } = campaign;
  const now = (await store.listCampaigns()).find((each) => each.id === id);
  const isSame =
    now !== undefined &&
    (version === now.version || state !== 'draft') &&
    now.service === service &&
    isDeepStrictEqual(now.settings, settings);
  if (!isSame) throw campaignChanged(name, now === undefined ? [] : await store.history(id));
}

/** Refuses new lists while an import is unfinished, a start if it was broken off. @throws AppError `LIST_UNFINISHED` */
function refuseBesideImport({ unfinished, surveys, campaign }: Plan, { purpose }: CommitOptions) {
  if (unfinished === undefined || campaign === undefined || campaign.state === 'cancelled') return;
  const startsNobody = purpose === 'start' || purpose === 'resume';
  if (surveys.length > 0 || (startsNobody && unfinished.is !== 'going_on'))
    throw unfinishedError(unfinished, campaign);
}

/**
 * The campaign; a new one is created. If two first runs of one list begin at the same moment, the slower process joins
 * the campaign of the faster one, with the checks of a second run.
 */
async function begin(
  plan: Plan,
  store: Store,
  options: CommitOptions & { agent: Agent | null },
  world: World,
): Promise<{ plan: Plan; campaign: Campaign }> {
  if (plan.campaign !== undefined) return { plan, campaign: plan.campaign };
  try {
    return { plan, campaign: await create(plan, options.agent, store, world) };
  } catch (error) {
    const isThere = error instanceof AppError && error.code === 'CAMPAIGN_EXISTS';
    const campaign = isThere ? await store.findCampaign(plan.name) : undefined;
    if (campaign === undefined) throw error;
    const joined = await plan.join(campaign);
    refuseMistakes(joined, options);
    return { plan: joined, campaign };
  }
}

async function create(
  { name, opened, resolved }: Plan,
  agent: Agent | null,
  store: Store,
  world: World,
): Promise<Campaign> {
  const { name: service, simulated, live } = opened.config;
  const { settings, rulesFrom } = resolved;
  const agentSeen = agent === null ? undefined : seen(agent);
  const entry = historyEntry(world, 'campaign.created', { service, live, rulesFrom, agentSeen });
  const id = world.newId('cmp');
  const made = { id, name, kind: 'list', service, simulated, settings } as const;
  return store.createCampaign({ ...made, createdAt: entry.at }, entry);
}

async function keepChanges(
  { resolved, opened }: Plan,
  { store, campaign, world }: OpenCampaign,
  isDraft: boolean,
) {
  const change: CampaignChange = {};
  const detail: Record<string, unknown> = { live: opened.config.live };
  for (const { key, from, to, source } of resolved.changes) {
    world.tell(`${key} ${from} -> ${to} (${source})`);
    detail[key] = { from, to, source };
    change.settings = resolved.settings;
  }
  const { service: from } = campaign;
  const { name: to } = opened.config;
  if (from !== to) {
    world.tell(
      `service ${from} -> ${to}; calls that are open at ${from} are still collected there`,
    );
    detail['service'] = { from, to };
    change.service = to;
  }
  if (Object.keys(change).length === 0) return campaign;
  if (isDraft) change.ifVersion = campaign.version;
  return store.changeCampaign(campaign.id, change, historyEntry(world, 'campaign.changed', detail));
}

/** Tells how many waiting leads are on none of the given lists; they stay in the campaign until they are withdrawn. */
async function tellWhoIsNotOnList({ phones }: Plan, open: OpenCampaign): Promise<void> {
  if (phones.size === 0) return;
  let count = 0;
  for await (const outside of waitingOutside(open, phones)) count += outside.length;
  if (count === 0) return;
  const who = counted(count, 'waiting lead is', 'waiting leads are');
  const withdraw = `callsheet cancel ${shellWord(open.campaign.name)} --lead NUMBER`;
  open.world.tell(
    `${who} not on this list and will still be called; \`${withdraw}\` withdraws one.`,
  );
}

/** Only `resume` lifts the operator's pause. The program's own pause is lifted: the service has just answered a GET. */
async function start(plan: Plan, open: OpenCampaign, { purpose }: CommitOptions, isDraft: boolean) {
  const { opened, resolved } = plan;
  const { store, world } = open;
  // Somebody may have paused or cancelled it while the question waited.
  const campaign =
    (await store.listCampaigns()).find(({ id }) => id === open.campaign.id) ?? open.campaign;
  const { state, pauseReason, pauseDetail } = campaign;
  const { waiting } = await store.progress(campaign.id, world.clock.now());
  const isOver = state === 'completed' || purpose === 'start';
  const mayGetMore = resolved.settings.sources !== undefined;
  if (isOver && state !== 'paused' && waiting === 0 && !mayGetMore) return campaign;
  if (pauseReason === 'operator' && purpose !== 'resume') return campaign;
  if (state === 'running') {
    // Its calls say who has approved them: see `CallEvidence`.
    if (opened.config.live)
      await store.addHistory(campaign.id, historyEntry(world, 'run.confirmed'));
    return campaign;
  }
  const detail = {
    service: opened.service.url,
    live: opened.config.live,
    // What the rules come to is long, and is stored with the campaign.
    settings: { ...resolved.settings, policy: undefined },
    duties: dutiesToName(plan).map(dutyKey),
    before: state,
    pause: pauseDetail,
  };
  const what = purpose === 'resume' ? 'campaign.resumed' : 'campaign.started';
  const entry = historyEntry(world, what, detail);
  const ifVersion = isDraft ? open.campaign.version : undefined;
  const resumes = purpose === 'resume';
  return store.changeCampaign(campaign.id, { state: 'running', resumes, ifVersion }, entry);
}

/**
 * Refuses a change where somebody else has changed the campaign since the person looked at it.
 *
 * @param ifVersion the version that was looked at; undefined: whichever it is
 * @throws AppError `CAMPAIGN_CHANGED` (exit 2), before anything is changed
 */
export async function requireVersion(
  { store, campaign }: Pick<Plan, 'store' | 'campaign'>,
  ifVersion: number | undefined,
): Promise<void> {
  if (store === undefined || campaign === undefined || ifVersion === undefined) return;
  if (campaign.version === ifVersion) return;
  throw campaignChanged(campaign.name, await store.history(campaign.id));
}
