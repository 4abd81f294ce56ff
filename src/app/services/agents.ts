import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { givenProfile } from '../../config/profiles.ts';
import type { ServiceConfig } from '../../config/resolve-service.ts';
import type { ResolvedSettings } from '../../config/settings.ts';
import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import { shortHash } from '../../runtime/random.ts';
import type { Agent, NewAgent, VoiceService } from '../../service/port.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { localTime } from '../../text/times.ts';
import { shellWord, someOf } from '../../text/wording.ts';
import type { AgentDetail, Agents, Agent as AgentView } from '../../views/services.ts';
import type { World } from '../world.ts';
import { chooseService, withService, type OpenService, type ServiceRequest } from './service.ts';

/** The agents of a service, as it tells them now, and the command that creates one there. */
export async function listAgents(
  request: ServiceRequest,
  world: World,
): Promise<{ view: Agents; creates: string }> {
  const { config, agents, complete } = await askForAgents(request, world);
  const view = { service: config.name, items: agents.map(agentView), next: null, complete };
  return { view, creates: createCommand(config) };
}

function askForAgents(request: ServiceRequest, world: World) {
  const ask = async (opened: OpenService) => ({
    ...opened,
    ...(await opened.service.listAgents()),
  });
  return withService(chooseService(request, world), request, world, ask, { keep: false });
}

/** An agent as far as callsheet knows the meaning of its fields; of the others, the voice. */
function agentView({ id, name, systemPrompt, raw }: Agent): AgentView {
  const voice = (raw as { voice?: unknown } | null)?.voice;
  const isObject = typeof voice === 'object' && voice !== null && !Array.isArray(voice);
  return { id, name, systemPrompt, voice: isObject ? (voice as Record<string, unknown>) : null };
}

function agentDetail(service: VoiceService, agent: Agent): AgentDetail {
  return { service: service.name, ...agentView(agent), answer: agent.raw };
}

/** Finds one agent by its id. @throws AppError `AGENT_UNKNOWN` (exit 2) */
export async function findAgent(
  request: ServiceRequest & { id: string },
  world: World,
): Promise<AgentDetail> {
  const { agents, complete, ...opened } = await askForAgents(request, world);
  const agent = agents.find(({ id }) => id === request.id);
  if (agent !== undefined) return agentDetail(opened.service, agent);
  if (!complete) world.tell('Not every page or entry could be read: it may be there all the same.');
  throw agentUnknown(opened, request.id, agents);
}

interface CreateRequest extends ServiceRequest, Pick<NewAgent, 'name'> {
  voice: NewAgent['voice'] | undefined;
}

/** Creates an agent; `systemPrompt` is the text that was read. @throws AppError `AGENT_INPUT_UNUSABLE` (exit 2) */
export async function createAgentFromFile(
  { promptFile, ...request }: CreateRequest & { promptFile: string },
  world: World,
): Promise<{ agent: AgentDetail; systemPrompt: string }> {
  const systemPrompt = readPrompt(promptFile, world);
  return { agent: await createAgent({ ...request, systemPrompt }, world), systemPrompt };
}

/** Creates an agent. @throws AppError `AGENT_INPUT_UNUSABLE` for a prompt without a word (exit 2) */
export async function createAgent(
  { systemPrompt: text, name, voice, ...request }: CreateRequest & { systemPrompt: string },
  world: World,
): Promise<AgentDetail> {
  const systemPrompt = text.trim();
  if (systemPrompt === '') throw unusable('The system prompt is empty; the agent needs one.');
  const wanted = { name, systemPrompt, ...(voice !== undefined && { voice }) };
  const config = chooseService(request, world);
  return withService(config, request, world, async ({ service }) => {
    const made = await service.createAgent(wanted).catch((error: unknown) => {
      throw perhapsCreated(error, config);
    });
    return agentDetail(service, made);
  });
}

/** The error of a request after which the agent may exist: a second one is not created in good faith. */
function perhapsCreated(error: unknown, config: ServiceConfig): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, lines, hint = '', exitCode } = error;
  if (code !== 'SERVICE_UNREACHABLE' && code !== 'SERVICE_ANSWER_UNEXPECTED') return error;
  const also = `The agent may exist all the same: ${listCommand(config)} shows it.`;
  return new AppError(code, lines, { hint: `${hint} ${also}`.trim(), exitCode, cause: error });
}

function readPrompt(path: string, world: World): string {
  let text: string;
  const file = resolve(world.cwd, path);
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).trim();
  } catch (cause) {
    const isOfDisk = 'syscall' in (cause as object);
    const why = isOfDisk ? fileTroubleOf(cause, 'read').is : 'is not text in UTF-8';
    throw unusable(`--system-prompt-file "${path}" ${why}; looked for ${file}.`, cause);
  }
  if (text === '')
    throw unusable(`--system-prompt-file "${path}" is empty; the agent needs a prompt.`);
  return text;
}

export function unusable(message: string, cause?: unknown): AppError {
  return usageError('AGENT_INPUT_UNUSABLE', message, 'see `callsheet agents create --help`', cause);
}

/** What is kept of an agent to detect changes; the prompt itself stays at the service. */
interface AgentSeen {
  id: string;
  name: string | null;
  /** A hash of the system prompt; null when the service does not return the prompt. */
  prompt: string | null;
}

export function seen({ id, name, systemPrompt }: Agent): AgentSeen {
  return { id, name, prompt: systemPrompt === null ? null : shortHash([systemPrompt]) };
}

/**
 * At every run, compares the agent with what the campaign saw of it first: a campaign whose prompt changes halfway is
 * two campaigns in one. Tells the differences, and records in the history what was seen.
 */
export async function watchAgent(
  store: Store,
  campaign: Campaign,
  agent: Agent,
  world: World,
): Promise<void> {
  const now = seen(agent);
  const history = await store.history(campaign.id);
  const first = history.find(({ detail }) => detail['agentSeen'] !== undefined);
  const at = world.clock.now();
  if (first === undefined) {
    const detail = { agentSeen: now };
    await store.addHistory(campaign.id, { at, who: 'callsheet', what: 'agent.seen', detail });
    return;
  }
  const before = first.detail['agentSeen'] as AgentSeen;
  const changes = differences(before, now);
  if (changes.length === 0) return;
  const since = localTime(first.at, campaign.settings.timezone);
  world.tell(
    `Agent ${agent.id} is not what it was when this campaign began (${since}): ${changes.join(' and ')}. People who were called before spoke with the old one.`,
    'problem',
  );
  const last = history.findLast(({ what }) => what === 'agent.changed')?.detail['agentNow'];
  if (JSON.stringify(last) === JSON.stringify(now)) return;
  const detail = { agentNow: now, before };
  await store.addHistory(campaign.id, { at, who: 'callsheet', what: 'agent.changed', detail });
}

/** A value that the service left out once cannot be compared. */
function differences(before: AgentSeen, now: AgentSeen): string[] {
  const differs = (one: string | null, other: string | null) =>
    one !== null && other !== null && one !== other;
  return [
    differs(before.name, now.name) && `its name was "${before.name}" and is "${now.name}"`,
    differs(before.prompt, now.prompt) && 'its prompt is another one',
  ].filter((change) => change !== false);
}

/** What is known before the lists are read, which may take long. */
export interface Beginning {
  name: string;
  campaign: Campaign | undefined;
  /** Undefined: there is no database yet. */
  store: Store | undefined;
  opened: OpenService;
  resolved: ResolvedSettings;
}

export function askForAgent(beginning: Beginning, world: World): Promise<Agent | null> {
  refuseOtherAgent(beginning);
  return checkAgent(beginning.opened, beginning.resolved.settings.agent, world);
}

/** Refuses a cancelled or archived campaign, and an agent other than the campaign's, whatever the list is. */
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
      `\`callsheet cancel ${shellWord(name)} --archive --undo\` takes it back, or begin another one with --name`,
    );
  }
  const { agent } = campaign.settings;
  // A draft may have none yet.
  if (agent === '' || agent === resolved.settings.agent) return;
  throw usageError(
    'CAMPAIGN_AGENT_DIFFERS',
    `Campaign "${name}" calls with agent "${agent}", not "${resolved.settings.agent}"; one campaign has one agent.`,
    'leave --agent out, or begin another campaign with --name',
  );
}

/**
 * Looks the agent up at the service. Null when it was not found but not all agents could be read: it is refused only
 * when the complete list does not have it.
 */
export async function checkAgent(
  opened: Pick<OpenService, 'service' | 'config'>,
  agent: string,
  world: World,
): Promise<Agent | null> {
  const { agents, complete } = await opened.service.listAgents();
  const found = agents.find(({ id }) => id === agent);
  if (found !== undefined) return found;
  if (!complete) {
    world.tell(`Agent "${agent}" was not found, but not all agents could be read: going on.`);
    return null;
  }
  throw agentUnknown(opened, agent, agents);
}

/** The error for an agent that the account of this key does not have. */
export function agentUnknown(
  { service, config }: { service: Pick<VoiceService, 'url'>; config: ServiceConfig },
  agent: string,
  agents: readonly Agent[],
): AppError {
  const ids = agents.map(({ id }) => id);
  const has = ids.length === 0 ? 'it has none' : `it has ${someOf(ids, 5)}`;
  return usageError(
    'AGENT_UNKNOWN',
    `${service.url} has no agent "${agent}"; ${has}.`,
    agentsNext(config),
  );
}

/** The next step where a service does not have an agent. */
export function agentsNext(config: ServiceConfig): string {
  return `${listCommand(config)} shows them, ${createCommand(config)} makes one`;
}

function listCommand(config: ServiceConfig): string {
  return `\`callsheet agents list ${flagsOf(config)}\``;
}

function createCommand(config: ServiceConfig): string {
  const needs = '--name NAME --system-prompt-file FILE';
  return `\`callsheet agents create ${flagsOf(config)} ${needs}\``;
}

/** The flags with which a command reaches a service. */
export function flagsOf({ name, url, profile, keyFile }: ServiceConfig): string {
  if (name !== url) return `--service ${shellWord(name)}`;
  const key = keyFile === null ? [] : ['--key-file', keyFile];
  const words = ['--service-url', url, '--profile', givenProfile(profile), ...key];
  return words.map(shellWord).join(' ');
}
