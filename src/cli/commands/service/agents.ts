import { createAgent, findAgent, listAgents, unusable } from '../../../app/services/agents.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, jsonOption, serviceOptions } from '../../args/options.ts';
import { printJson, printLines, printTable, say } from '../../terminal/output.ts';

export const list = defineCommand({
  arguments: {},
  options: { ...serviceOptions, ...databaseOptions, ...jsonOption },
  examples: [
    ['agents list', 'the agents of the service that VOICE_API_URL names'],
    ['agents list --service simulated --json', 'those of the embedded service, as JSON'],
  ],
  run: async (args, io) => {
    const { service, agents, complete } = await listAgents(args, io);
    if (args.json) {
      const named = agents.map(({ id, name }) => ({ id, name }));
      printJson(io, { service: service.name, agents: named, complete });
    } else if (agents.length > 0) {
      const rows = agents.map(({ id, name }) => [id, name]);
      printTable(io, ['AGENT', 'NAME'], rows);
    }
    if (agents.length === 0) {
      say(io, `${service.url} has no agents; \`callsheet agents create\` makes one.`);
    }
    if (!complete) say(io, 'There may be more: not every page or entry could be read.');
    return EXIT.ok;
  },
});

export const create = defineCommand({
  arguments: {},
  options: {
    name: { type: 'text', describe: 'what to call the agent', required: true },
    'system-prompt-file': {
      type: 'text',
      describe: 'file with what the agent is to say and do, UTF-8 text',
      required: true,
    },
    voice: { type: 'text', describe: 'a JSON object, passed to the service as it is' },
    ...serviceOptions,
    ...databaseOptions,
    ...jsonOption,
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
  run: async (args, io) => {
    const voice = args.voice === undefined ? undefined : readVoice(args.voice);
    const promptFile = args.systemPromptFile;
    const { agent, systemPrompt } = await createAgent({ ...args, promptFile, voice }, io);
    const { id, name, raw } = agent;
    if (args.json) printJson(io, { id, name, answer: raw });
    else printLines(io, [id]);
    for (const line of fieldLines(raw, systemPrompt)) say(io, `  ${line}`);
    say(io, `Agent ${args.name} is created; call a list with \`--agent ${id}\`.`);
    return EXIT.ok;
  },
});

export const show = defineCommand({
  arguments: { id: { describe: 'the ID of an agent', required: true } },
  options: { ...serviceOptions, ...databaseOptions, ...jsonOption },
  examples: [['agents show ag_123', 'what the service tells of one agent, its prompt last']],
  run: async (args, io) => {
    const { service, agent } = await findAgent(args, io);
    const { id, name, systemPrompt, raw } = agent;
    if (args.json) {
      printJson(io, { service: service.name, id, name, systemPrompt, answer: raw });
      return EXIT.ok;
    }
    printLines(io, fieldLines(raw, systemPrompt));
    if (systemPrompt !== null) printLines(io, ['', ...systemPrompt.split('\n')]);
    return EXIT.ok;
  },
});

/** What the service answered, a field a line; a long text that is shown for itself is left out. */
function fieldLines(raw: unknown, apart: string | null): string[] {
  const isPlain = (value: unknown) => typeof value === 'string' && !value.includes('\n');
  return Object.entries(raw ?? {})
    .filter(([, value]) => value !== apart || apart === null)
    .map(([key, value]) => `${key}: ${isPlain(value) ? String(value) : JSON.stringify(value)}`);
}

function readVoice(text: string): Record<string, unknown> {
  try {
    const voice: unknown = JSON.parse(text);
    if (typeof voice === 'object' && voice !== null && !Array.isArray(voice)) {
      return voice as Record<string, unknown>;
    }
  } catch {
    // Said below.
  }
  throw unusable(`--voice "${text}" is not a JSON object such as {"language":"en-US"}.`);
}
