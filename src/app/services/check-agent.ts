import type { ResolvedSettings } from '../../config/settings.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';
import type { Agent, VoiceService } from '../../service/port.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import type { OpenService } from './service.ts';
import { someOf } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';

/** What is known before the lists are read, which may take long. */
export interface Beginning {
  /** The campaign's name. */
  name: string;
  campaign: Campaign | undefined;
  /** Undefined: there is no database yet. */
  store: Store | undefined;
  opened: OpenService;
  resolved: ResolvedSettings;
}

/** @throws AppError those of `refuseOtherAgent` and `checkAgent` */
export function askForAgent(beginning: Beginning, world: World): Promise<Agent | null> {
  refuseOtherAgent(beginning);
  return checkAgent(beginning.opened.service, beginning.resolved.settings.agent, world);
}

/**
 * Refuses a cancelled or archived campaign, and an agent other than the campaign's, whatever the list is.
 *
 * @throws AppError `CAMPAIGN_CANCELLED`, `CAMPAIGN_ARCHIVED`, `CAMPAIGN_AGENT_DIFFERS` (exit 2)
 */
export function refuseOtherAgent({ campaign, resolved, name }: Beginning): void {
  if (campaign === undefined) return;
  if (campaign.state === 'cancelled') {
    throw usageError(
      'CAMPAIGN_CANCELLED',
      `Campaign "${name}" is cancelled.`,
      `begin another one with --name, or take it back: \`callsheet cancel ${shellWord(name)} --undo\``,
    );
  }
  if (campaign.archivedAt !== undefined) {
    throw usageError(
      'CAMPAIGN_ARCHIVED',
      `Campaign "${name}" is archived: nobody calls it.`,
      `\`callsheet archive ${shellWord(name)} --undo\` takes it back, or begin another one with --name`,
    );
  }
  const { agent } = campaign.settings;
  if (agent === resolved.settings.agent) return;
  throw usageError(
    'CAMPAIGN_AGENT_DIFFERS',
    `Campaign "${name}" calls with agent "${agent}", not "${resolved.settings.agent}"; one campaign has one agent.`,
    'leave --agent out, or begin another campaign with --name',
  );
}

/**
 * Looks the agent up at the service. Null when it was not found but not all agents could be read: it is refused only
 * when the complete list does not have it.
 *
 * @throws AppError `AGENT_UNKNOWN` (exit 2), and those of `listAgents`
 */
export async function checkAgent(
  service: VoiceService,
  agent: string,
  world: World,
): Promise<Agent | null> {
  const { agents, complete } = await service.listAgents();
  const found = agents.find(({ id }) => id === agent);
  if (found !== undefined) return found;
  if (!complete) {
    world.tell(`Agent "${agent}" was not found, but not all agents could be read: going on.`);
    return null;
  }
  throw agentUnknown(service, agent, agents);
}

/** The error for an agent that the account of this key does not have. */
export function agentUnknown(
  service: Pick<VoiceService, 'url'>,
  agent: string,
  agents: readonly Agent[],
): AppError {
  const ids = agents.map(({ id }) => id);
  const has = ids.length === 0 ? 'it has none' : `it has ${someOf(ids, 5)}`;
  return usageError(
    'AGENT_UNKNOWN',
    `${service.url} has no agent "${agent}"; ${has}.`,
    '`callsheet agents list` shows them, `callsheet agents create` makes one',
  );
}
