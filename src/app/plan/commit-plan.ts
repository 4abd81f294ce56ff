import { AppError } from '../../runtime/errors.ts';
import type { Agent } from '../../service/port.ts';
import type { Campaign, CampaignChange, Store } from '../../store/port.ts';
import { keepConfirmed } from './repeated-lists.ts';
import { seen, watchAgent } from '../services/agent-watch.ts';
import { approve, refuseMistakes, staysPaused, type CommitOptions } from './approve.ts';
import { columnLines } from '../sentences/import-lines.ts';
import { importPlanned, type Imported } from './import-plan.ts';
import type { World } from '../world.ts';
import type { Plan } from './plan.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { unfinishedError, unfinishedSentence } from './unfinished-import.ts';
import { waitingOutside } from './waiting-outside.ts';

export interface Committed extends Imported {
  store: Store;
  campaign: Campaign;
  /** True when calls may be placed: the campaign is not paused, and whoever had to be asked said yes. */
  mayDial: boolean;
}

/**
 * Asks where people would be called, then makes the plan real: database, campaign, settings, leads, state.
 *
 * @throws AppError those of `refuseMistakes`, `checkAgent` and `requireYes` before anything is changed; those
 *   of the import
 */
export async function commitPlan(
  given: Plan,
  options: CommitOptions,
  world: World,
): Promise<Committed> {
  refuseBesideImport(given, options);
  refuseMistakes(given, options);
  for (const { scanned } of given.surveys)
    for (const line of columnLines(scanned)) world.tell(line);
  const { approved, agent, repeated } = await approve(given, options, world);
  await options.assertResults?.();
  const store = await given.createStore();
  const begun = await begin(given, store, { agent, ...options }, world);
  const { plan } = begun;
  const mayDial = approved && !staysPaused(begun.campaign, options);
  await keepConfirmed(repeated, { store, campaignId: begun.campaign.id }, world);
  const campaign = await keepChanges(plan, store, begun.campaign, world);
  if (agent !== null) await watchAgent(store, campaign, agent, world);
  const { sync = false } = options;
  const imported = await importPlanned(plan, { store, campaign, sync }, world);
  if (options.add && options.purpose !== 'import')
    await tellWhoIsNotOnList(plan, store, campaign, world);
  const { unfinished } = plan;
  const isHeldUp = unfinished !== undefined && unfinished.is !== 'going_on';
  // A run that is held up ends with it.
  if (unfinished !== undefined && !(isHeldUp && options.purpose === 'run'))
    world.tell(unfinishedSentence(unfinished, campaign));
  if (options.purpose === 'import' || isHeldUp)
    return { store, campaign, mayDial: mayDial && !isHeldUp, ...imported };
  return {
    store,
    campaign: await start(plan, store, campaign, options, world),
    mayDial,
    ...imported,
  };
}

/** Beside an import that has not ended no other list comes in, and nobody is called. @throws AppError `LIST_UNFINISHED` */
function refuseBesideImport(
  { unfinished, surveys, campaign }: Plan,
  { purpose }: CommitOptions,
): void {
  if (unfinished === undefined || campaign === undefined || campaign.state === 'cancelled') return;
  const startsNobody = purpose === 'start' || purpose === 'resume';
  if (surveys.length > 0 || (startsNobody && unfinished.is !== 'going_on'))
    throw unfinishedError(unfinished, campaign);
}

/**
 * The campaign, made now unless there is one. Two first runs of one list at the same moment: whoever comes
 * second helps the first, with the checks of a second run.
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

/** @throws AppError `CAMPAIGN_EXISTS` */
async function create(
  { name, opened, resolved }: Plan,
  agent: Agent | null,
  store: Store,
  world: World,
): Promise<Campaign> {
  const { name: service, simulated, live } = opened.config;
  const { settings, rulesFrom } = resolved;
  const at = world.clock.now();
  const id = world.newId('cmp');
  const campaign = { id, name, kind: 'list', service, simulated, settings, createdAt: at } as const;
  const agentSeen = agent === null ? undefined : seen(agent);
  const detail = { service, live, rulesFrom, agentSeen };
  return store.createCampaign(campaign, { at, who: world.user, what: 'campaign.created', detail });
}

async function keepChanges(
  { resolved, opened }: Plan,
  store: Store,
  campaign: Campaign,
  world: World,
): Promise<Campaign> {
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
  const entry = { at: world.clock.now(), who: world.user, what: 'campaign.changed', detail };
  return store.changeCampaign(campaign.id, change, entry);
}

/** People who are on no list that was given now: they stay in the campaign until they are withdrawn. */
async function tellWhoIsNotOnList(
  { phones }: Plan,
  store: Store,
  campaign: Campaign,
  world: World,
): Promise<void> {
  if (phones.size === 0) return;
  let count = 0;
  for await (const outside of waitingOutside(store, campaign.id, phones)) count += outside.length;
  if (count === 0) return;
  const who = `${counted(count, 'waiting lead')} ${count === 1 ? 'is' : 'are'}`;
  const withdraw = `callsheet cancel ${shellWord(campaign.name)} --lead NUMBER`;
  world.tell(`${who} not on this list and will still be called; \`${withdraw}\` withdraws one.`);
}

/** The operator's pause is lifted by `resume` only; the program's own, since the service has just answered a GET. */
async function start(
  { opened, resolved }: Plan,
  store: Store,
  campaign: Campaign,
  { purpose }: CommitOptions,
  world: World,
): Promise<Campaign> {
  const { state, pauseReason, pauseDetail } = campaign;
  const { waiting } = await store.progress(campaign.id, world.clock.now());
  const isOver = state === 'completed' || purpose === 'start';
  if (isOver && state !== 'paused' && waiting === 0) return campaign;
  if (state === 'running' || (pauseReason === 'operator' && purpose !== 'resume')) return campaign;
  const detail = {
    service: opened.service.url,
    live: opened.config.live,
    settings: resolved.settings,
    before: state,
    pause: pauseDetail,
  };
  const what = purpose === 'resume' ? 'campaign.resumed' : 'campaign.started';
  return store.changeCampaign(
    campaign.id,
    { state: 'running' },
    { at: world.clock.now(), who: world.user, what, detail },
  );
}
