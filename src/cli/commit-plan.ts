import { importList, type ImportReport } from '../leads/import.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import { dirname, join } from 'node:path';
import type { Campaign, CampaignChange, Store } from '../store/port.ts';
import { confirm } from './confirm.ts';
import { importLines } from './import-report.ts';
import type { Io } from './io.ts';
import { say } from './output.ts';
import type { Plan } from './plan.ts';
import { planLines } from './plan-lines.ts';

export interface CommitOptions {
  /** New rows of another list may join. */
  add: boolean;
  /** The plan was confirmed beforehand, for use without a terminal. */
  yes: boolean;
  /** False: bring the leads in and leave the campaign as it is (`import`). */
  start: boolean;
}

/**
 * Asks where people would be called, then makes the plan real: campaign, settings, leads, state.
 *
 * @throws AppError `CAMPAIGN_LIST_DIFFERS`, `CAMPAIGN_AGENT_DIFFERS`, `CAMPAIGN_CANCELLED`,
 *   `AGENT_UNKNOWN`, `NOT_CONFIRMED` (all exit 2), those of the import
 */
export async function commitPlan(
  plan: Plan & { store: Store },
  options: CommitOptions,
  io: Io,
): Promise<Campaign> {
  refuseMistakes(plan, options);
  const { service, config } = plan.opened;
  if (options.start) {
    const agentName = await checkAgent(plan, io);
    await confirmLive(plan, agentName, options, io);
  }
  let campaign = plan.campaign ?? (await create(plan, io));
  campaign = await keepChanges(plan, campaign, io);
  for (const { path } of plan.surveys) {
    const report = await importList(plan.store, campaign.id, path, {
      country: plan.resolved.settings.country,
      refuseFictional: config.live,
      clock: io.clock,
      newId: io.newId,
      rejectsDir: join(dirname(plan.place.path), 'rejects'),
    });
    for (const line of importLines(report, campaign.name)) say(io, line);
    await sayWhoLeftTheList(plan, campaign, report, options, io);
  }
  if (!options.start) return campaign;
  return start(plan, campaign, { who: io.user, service: service.url }, io);
}

function refuseMistakes({ campaign, surveys, resolved, name }: Plan, { add }: CommitOptions): void {
  if (campaign === undefined) return;
  if (campaign.state === 'cancelled') {
    throw new AppError('CAMPAIGN_CANCELLED', `Campaign "${name}" is cancelled for good.`, {
      hint: 'begin another one with --name',
      exitCode: EXIT.usage,
    });
  }
  if (campaign.settings.agent !== resolved.settings.agent) {
    throw new AppError(
      'CAMPAIGN_AGENT_DIFFERS',
      `Campaign "${name}" calls with agent "${campaign.settings.agent}", not "${resolved.settings.agent}"; one campaign has one agent.`,
      { hint: 'leave --agent out, or begin another campaign with --name', exitCode: EXIT.usage },
    );
  }
  const other = surveys.find(({ sha256 }) => sha256 !== undefined);
  if (other === undefined || add) return;
  throw new AppError(
    'CAMPAIGN_LIST_DIFFERS',
    `${other.path} is not the list that campaign "${name}" was made from: its bytes differ.`,
    {
      hint: 'give --add to let its new rows join, or --name to begin another campaign',
      exitCode: EXIT.usage,
    },
  );
}

/** An agent that the service does not have is refused only when the whole list of agents could be read. */
async function checkAgent({ opened, resolved }: Plan, io: Io): Promise<string | null> {
  const { agents, complete } = await opened.service.listAgents();
  const { agent } = resolved.settings;
  const found = agents.find(({ id }) => id === agent);
  if (found !== undefined) return found.name;
  if (!complete) {
    say(io, `Agent "${agent}" was not found, but not all agents could be read: going on.`);
    return null;
  }
  const some = agents.slice(0, 5).map(({ id }) => id);
  throw new AppError(
    'AGENT_UNKNOWN',
    `${opened.service.url} has no agent "${agent}"; it has ${some.length === 0 ? 'none' : some.join(', ')}${agents.length > 5 ? ` and ${agents.length - 5} more` : ''}.`,
    { hint: '`callsheet agents list` shows them', exitCode: EXIT.usage },
  );
}

async function confirmLive(
  plan: Plan,
  agentName: string | null,
  { yes }: CommitOptions,
  io: Io,
): Promise<void> {
  for (const line of planLines(plan, agentName)) say(io, line);
  if (!plan.opened.config.live || yes) return;
  if (await confirm(io, 'Real people will be called. Type yes to start:')) return;
  throw new AppError('NOT_CONFIRMED', 'Not confirmed: nobody was called, nothing was changed.', {
    hint: 'type yes at the question, or give --yes where there is no terminal',
    exitCode: EXIT.usage,
  });
}

async function create({ store, name, opened, resolved }: Plan & { store: Store }, io: Io) {
  return store.createCampaign({
    id: io.newId('cmp'),
    name,
    kind: 'list',
    service: opened.config.name,
    simulated: opened.config.simulated,
    settings: resolved.settings,
    createdAt: io.clock.now(),
  });
}

async function keepChanges(
  { store, resolved, opened }: Plan & { store: Store },
  campaign: Campaign,
  io: Io,
): Promise<Campaign> {
  const change: CampaignChange = {};
  const detail: Record<string, unknown> = {};
  for (const { key, from, to, source } of resolved.changes) {
    say(io, `${key} ${from} -> ${to} (${source})`);
    detail[key] = { from, to, source };
    change.settings = resolved.settings;
  }
  if (campaign.service !== opened.config.name) {
    say(
      io,
      `service ${campaign.service} -> ${opened.config.name}; open calls are still collected at ${campaign.service}`,
    );
    detail['service'] = { from: campaign.service, to: opened.config.name };
    change.service = opened.config.name;
  }
  if (Object.keys(change).length === 0) return campaign;
  return store.changeCampaign(campaign.id, change, {
    at: io.clock.now(),
    who: io.user,
    what: 'campaign.changed',
    detail,
  });
}

async function sayWhoLeftTheList(
  { store, surveys }: Plan & { store: Store },
  campaign: Campaign,
  report: ImportReport,
  { add }: CommitOptions,
  io: Io,
): Promise<void> {
  const phones = surveys.find(({ sha256 }) => sha256 === report.list.sha256)?.phones;
  if (!add || phones == null) return;
  const count = await store.countWaitingOutside(campaign.id, phones);
  if (count === 0) return;
  say(io, `${count} waiting leads are not on ${report.list.path}; they are still called.`);
}

/** The operator's pause stays; the program's own are lifted, since the service has just answered a GET. */
async function start(
  { store, opened, resolved }: Plan & { store: Store },
  campaign: Campaign,
  by: { who: string; service: string },
  io: Io,
): Promise<Campaign> {
  const isPausedByOperator = campaign.pauseReason === 'operator';
  if (campaign.state === 'running' || isPausedByOperator) return campaign;
  return store.changeCampaign(
    campaign.id,
    { state: 'running' },
    {
      at: io.clock.now(),
      who: by.who,
      what: 'campaign.started',
      detail: {
        service: by.service,
        live: opened.config.live,
        settings: resolved.settings,
        before: campaign.state,
        pause: campaign.pauseDetail,
      },
    },
  );
}
