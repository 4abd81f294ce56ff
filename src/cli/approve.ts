import type { Agent, VoiceService } from '../service/port.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import { confirm } from './confirm.ts';
import type { Io } from './io.ts';
import { say } from './output.ts';
import type { Plan } from './plan.ts';

/**
 * What a campaign that exists does not allow.
 *
 * @throws AppError `CAMPAIGN_CANCELLED`, `CAMPAIGN_AGENT_DIFFERS`, `CAMPAIGN_LIST_DIFFERS` (exit 2)
 */
export function refuseMistakes(
  { campaign, others, resolved, name }: Plan,
  { add }: { add: boolean },
): void {
  if (campaign === undefined) return;
  if (campaign.state === 'cancelled') {
    throw new AppError('CAMPAIGN_CANCELLED', `Campaign "${name}" is cancelled for good.`, {
      hint: 'begin another one with --name',
      exitCode: EXIT.usage,
    });
  }
  const { agent } = campaign.settings;
  if (agent !== resolved.settings.agent) {
    throw new AppError(
      'CAMPAIGN_AGENT_DIFFERS',
      `Campaign "${name}" calls with agent "${agent}", not "${resolved.settings.agent}"; one campaign has one agent.`,
      { hint: 'leave --agent out, or begin another campaign with --name', exitCode: EXIT.usage },
    );
  }
  const [other] = others;
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

/**
 * The agent; null where it was not found among those that could be read. One that the service does not have is
 * refused only when the whole list could be read.
 *
 * @throws AppError `AGENT_UNKNOWN` (exit 2), and those of `listAgents`
 */
export async function checkAgent(
  service: VoiceService,
  agent: string,
  io: Io,
): Promise<Agent | null> {
  const { agents, complete } = await service.listAgents();
  const found = agents.find(({ id }) => id === agent);
  if (found !== undefined) return found;
  if (!complete) {
    say(io, `Agent "${agent}" was not found, but not all agents could be read: going on.`);
    return null;
  }
  throw agentUnknown(service, agent, agents);
}

/** The error for an agent that the account of this key does not have. */
export function agentUnknown(
  service: VoiceService,
  agent: string,
  agents: readonly Agent[],
): AppError {
  const some = agents.slice(0, 5).map(({ id }) => id);
  const more = agents.length > some.length ? ` and ${agents.length - some.length} more` : '';
  const has = some.length === 0 ? 'it has none' : `it has ${some.join(', ')}${more}`;
  return new AppError('AGENT_UNKNOWN', `${service.url} has no agent "${agent}"; ${has}.`, {
    hint: '`callsheet agents list` shows them, `callsheet agents create` makes one',
    exitCode: EXIT.usage,
  });
}

/**
 * Asks before people are called.
 *
 * @param people how many
 * @throws AppError `NOT_CONFIRMED` (exit 2)
 */
export async function requireYes(people: number, yes: boolean, io: Io): Promise<void> {
  if (yes) return;
  const who = people === 1 ? '1 real person' : `${people.toLocaleString('en-US')} real people`;
  const onTerminal = io.stdinIsTty && io.stderrIsTty;
  if (await confirm(io, `This calls ${who}. Type yes to start:`)) return;
  throw new AppError(
    'NOT_CONFIRMED',
    onTerminal
      ? 'Not confirmed: nobody was called, nothing was changed.'
      : 'Calls to real people need a yes, and there is no terminal to ask on; nobody was called.',
    {
      hint: onTerminal
        ? 'run it again and type yes, in full'
        : 'run it on a terminal, or give --yes',
      exitCode: EXIT.usage,
    },
  );
}
