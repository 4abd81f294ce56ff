import { dirname, join } from 'node:path';
import { importList } from '../leads/import.ts';
import type { Campaign, CampaignChange, Store } from '../store/port.ts';
import { checkAgent, refuseMistakes, requireYes } from './approve.ts';
import { importLines } from './import-report.ts';
import type { Io } from './io.ts';
import { say } from './output.ts';
import type { Plan } from './plan.ts';
import { planLines } from './plan-lines.ts';
import { counted } from './plural.ts';
import { shellWord } from './shell-word.ts';

export interface CommitOptions {
  /** New rows of another list may join. */
  add: boolean;
  /** The plan was confirmed beforehand, for use without a terminal. */
  yes: boolean;
  /** What for: `import` brings leads in and starts nothing; `resume` lifts the operator's pause too. */
  purpose: 'run' | 'resume' | 'import';
  /** Fails where the results cannot be written; makes their folder, so it comes after the yes. */
  assertResults?: () => Promise<void> | undefined;
}

export interface Committed {
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
export async function commitPlan(plan: Plan, options: CommitOptions, io: Io): Promise<Committed> {
  refuseMistakes(plan, options);
  const mayDial = await approve(plan, options, io);
  await options.assertResults?.();
  const store = plan.createStore();
  let campaign = plan.campaign ?? (await create(plan, store, io));
  campaign = await keepChanges(plan, store, campaign, io);
  for (const { path, scanned } of plan.surveys) {
    const report = await importList(store, campaign.id, path, {
      scanned,
      country: plan.resolved.settings.country,
      refuseFictional: plan.opened.config.live,
      clock: io.clock,
      newId: io.newId,
      rejectsDir: join(dirname(plan.place.path), 'rejects'),
    });
    for (const line of importLines(report, campaign.name)) say(io, line);
  }
  if (options.add && options.purpose !== 'import') await sayWhoLeft(plan, store, campaign, io);
  if (options.purpose === 'import') return { store, campaign, mayDial };
  return { store, campaign: await start(plan, store, campaign, options, io), mayDial };
}

/** Only what will be called is asked for: not for a pause that stays, not where nobody waits. */
async function approve(plan: Plan, { yes, purpose }: CommitOptions, io: Io): Promise<boolean> {
  const { campaign, opened, resolved, callNow } = plan;
  const staysPaused = campaign?.pauseReason === 'operator' && purpose !== 'resume';
  if (purpose === 'import' && campaign !== undefined) return false;
  const agentName = await checkAgent(opened.service, resolved.settings.agent, io);
  if (purpose === 'import') return false;
  for (const line of planLines(plan, agentName)) say(io, line);
  if (staysPaused) return false;
  if (opened.config.live && callNow === 0) return false;
  if (opened.config.live) await requireYes(callNow, yes, io);
  return true;
}

async function create({ name, opened, resolved }: Plan, store: Store, io: Io): Promise<Campaign> {
  const { name: service, simulated, live } = opened.config;
  const { settings, rulesFrom } = resolved;
  const at = io.clock.now();
  const id = io.newId('cmp');
  const campaign = { id, name, kind: 'list', service, simulated, settings, createdAt: at } as const;
  const created = await store.createCampaign(campaign);
  const detail = { service, live, rulesFrom };
  await store.addHistory(id, { at, who: io.user, what: 'campaign.created', detail });
  return created;
}

async function keepChanges(
  { resolved, opened }: Plan,
  store: Store,
  campaign: Campaign,
  io: Io,
): Promise<Campaign> {
  const change: CampaignChange = {};
  const detail: Record<string, unknown> = { live: opened.config.live };
  for (const { key, from, to, source } of resolved.changes) {
    say(io, `${key} ${from} -> ${to} (${source})`);
    detail[key] = { from, to, source };
    change.settings = resolved.settings;
  }
  const { service: from } = campaign;
  const { name: to } = opened.config;
  if (from !== to) {
    say(io, `service ${from} -> ${to}; calls that are open at ${from} are still collected there`);
    detail['service'] = { from, to };
    change.service = to;
  }
  if (Object.keys(change).length === 0) return campaign;
  const entry = { at: io.clock.now(), who: io.user, what: 'campaign.changed', detail };
  return store.changeCampaign(campaign.id, change, entry);
}

/** People who are on no list that was given now: they stay in the campaign until they are withdrawn. */
async function sayWhoLeft(
  { phones }: Plan,
  store: Store,
  campaign: Campaign,
  io: Io,
): Promise<void> {
  if (phones.size === 0) return;
  const count = await store.countWaitingOutside(campaign.id, phones);
  if (count === 0) return;
  const who = `${counted(count, 'waiting lead')} ${count === 1 ? 'is' : 'are'}`;
  const withdraw = `callsheet cancel ${shellWord(campaign.name)} --lead NUMBER`;
  say(io, `${who} not on this list and will still be called; \`${withdraw}\` withdraws one.`);
}

/** The operator's pause is lifted by `resume` only; the program's own, since the service has just answered a GET. */
async function start(
  { opened, resolved }: Plan,
  store: Store,
  campaign: Campaign,
  { purpose }: CommitOptions,
  io: Io,
): Promise<Campaign> {
  const { state, pauseReason, pauseDetail } = campaign;
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
    { at: io.clock.now(), who: io.user, what, detail },
  );
}
