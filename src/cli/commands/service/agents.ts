import { z } from 'zod';
import {
  createAgentFromFile,
  findAgent,
  listAgents,
  unusable,
} from '../../../app/services/agents.ts';
import { agentDetail, agents } from '../../../views/services.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, serviceOptions } from '../../args/options.ts';

export const list = defineCommand({
  options: { ...serviceOptions, ...databaseOptions },
  examples: [
    ['agents list', 'the agents of the service that VOICE_API_URL names'],
    ['agents list --service simulated --json', 'those of the embedded service, as JSON'],
  ],
  json: agents,
  run: async (args, io) => {
    const { view: json, creates } = await listAgents(args, io);
    const { service, items, complete } = json;
    const none = `${service} has no agents; ${creates} makes one.`;
    const more = 'There may be more: not every page or entry could be read.';
    const rows = items.map(({ id, name }) => [id, name]);
    return {
      json,
      table: rows.length === 0 ? undefined : [['AGENT', 'NAME'], rows],
      told: [...(rows.length === 0 ? [none] : []), ...(complete ? [] : [more])],
    };
  },
});

export const create = defineCommand({
  options: {
    name: { describe: 'what to call the agent', required: true },
    'system-prompt-file': {
      describe: 'file with what the agent is to say and do, UTF-8 text',
      required: true,
    },
    voice: { describe: 'a JSON object, passed to the service as it is' },
    ...serviceOptions,
    ...databaseOptions,
  },
  examples: [
    [
      'agents create --name Renewals --system-prompt-file renewals.txt',
      'create an agent and print its ID',
    ],
    [
      `agents create --name Renewals --system-prompt-file renewals.txt --voice '{"language":"en-US"}'`,
      'with a voice',
    ],
  ],
  json: agentDetail,
  run: async (args, io) => {
    const voice = args.voice === undefined ? undefined : readVoice(args.voice);
    const promptFile = args.systemPromptFile;
    const { agent, systemPrompt } = await createAgentFromFile({ ...args, promptFile, voice }, io);
    const { id, answer } = agent;
    const fields = fieldLines(answer, systemPrompt).map((line) => `  ${line}`);
    const next = `Agent ${args.name} is created; call a list with \`--agent ${id}\`.`;
    return { json: agent, lines: [id], told: [...fields, next] };
  },
});

export const show = defineCommand({
  arguments: { id: { describe: 'the ID of an agent', required: true } },
  options: { ...serviceOptions, ...databaseOptions },
  examples: [['agents show ag_123', 'what the service says about one agent, its prompt last']],
  json: agentDetail,
  run: async (args, io) => {
    const json = await findAgent(args, io);
    const { systemPrompt, answer } = json;
    const prompt = systemPrompt === null ? [] : ['', ...systemPrompt.split('\n')];
    return { json, lines: [...fieldLines(answer, systemPrompt), ...prompt] };
  },
});

/** The service's answer, one field a line, without the long text `apart`, which is printed separately. */
function fieldLines(raw: unknown, apart: string | null): string[] {
  const isPlain = (value: unknown) => typeof value === 'string' && !value.includes('\n');
  return Object.entries(raw ?? {})
    .filter(([, value]) => value !== apart || apart === null)
    .map(([key, value]) => `${key}: ${isPlain(value) ? String(value) : JSON.stringify(value)}`);
}

function readVoice(text: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    throw unusable(`--voice "${text}" is not a JSON object such as {"language":"en-US"}.`);
  }
}
