import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';
import type { Agent, NewAgent } from '../../service/port.ts';
import type { World } from '../world.ts';
import { agentUnknown } from './check-agent.ts';
import { chooseService, withService, type OpenService, type ServiceRequest } from './service.ts';

/** Lists the agents of a service. */
export function listAgents(request: ServiceRequest, world: World) {
  const ask = async ({ service }: OpenService) => ({ service, ...(await service.listAgents()) });
  return withService(chooseService(request, world), request, world, ask, { keep: false });
}

/** Finds one agent by its id. @throws AppError `AGENT_UNKNOWN` (exit 2) */
export async function findAgent(request: ServiceRequest & { id: string }, world: World) {
  const { service, agents, complete } = await listAgents(request, world);
  const agent = agents.find(({ id }) => id === request.id);
  if (agent !== undefined) return { service, agent };
  if (!complete) world.tell('Not every page or entry could be read: it may be there all the same.');
  throw agentUnknown(service, request.id, agents);
}

interface CreateRequest extends ServiceRequest, Pick<NewAgent, 'name'> {
  voice: NewAgent['voice'] | undefined;
}

/** Creates an agent; `systemPrompt` is the text that was read. @throws AppError `AGENT_INPUT_UNUSABLE` (exit 2) */
export async function createAgentFromFile(
  { promptFile, ...request }: CreateRequest & { promptFile: string },
  world: World,
): Promise<{ agent: Agent; systemPrompt: string }> {
  const systemPrompt = readPrompt(promptFile, world);
  return { agent: await createAgent({ ...request, systemPrompt }, world), systemPrompt };
}

/** Creates an agent. @throws AppError `AGENT_INPUT_UNUSABLE` for a prompt without a word (exit 2) */
export async function createAgent(
  { systemPrompt: text, name, voice, ...request }: CreateRequest & { systemPrompt: string },
  world: World,
): Promise<Agent> {
  const systemPrompt = text.trim();
  if (systemPrompt === '') throw unusable('The system prompt is empty; the agent needs one.');
  const wanted = { name, systemPrompt, ...(voice !== undefined && { voice }) };
  const config = chooseService(request, world);
  return withService(config, request, world, ({ service }) => service.createAgent(wanted));
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

/** The error for input from which no agent can be created. */
export function unusable(message: string, cause?: unknown): AppError {
  return usageError('AGENT_INPUT_UNUSABLE', message, 'see `callsheet agents create --help`', cause);
}
