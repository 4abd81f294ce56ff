import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';
import type { Agent, NewAgent } from '../../service/port.ts';
import type { World } from '../world.ts';
import { agentUnknown } from './check-agent.ts';
import { chooseService, withService, type ServiceRequest } from './service.ts';

/** Lists the agents of a service. */
export function listAgents(request: ServiceRequest, world: World) {
  return withService(chooseService(request, world), request, world, async ({ service }) => ({
    service,
    ...(await service.listAgents()),
  }));
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
  promptFile: string;
  voice: NewAgent['voice'] | undefined;
}

/** Creates an agent; `systemPrompt` is the text that was read. @throws AppError `AGENT_INPUT_UNUSABLE` (exit 2) */
export async function createAgent(
  { promptFile, name, voice, ...request }: CreateRequest,
  world: World,
): Promise<{ agent: Agent; systemPrompt: string }> {
  const systemPrompt = readPrompt(promptFile, world);
  const wanted = { name, systemPrompt, ...(voice !== undefined && { voice }) };
  const config = chooseService(request, world);
  const agent = await withService(config, request, world, ({ service }) =>
    service.createAgent(wanted),
  );
  return { agent, systemPrompt };
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
