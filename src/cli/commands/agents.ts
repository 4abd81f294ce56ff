import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError, EXIT, messageOf } from '../../runtime/errors.ts';
import type { VoiceService } from '../../service/port.ts';
import { defineCommand } from '../command.ts';
import type { Io } from '../io.ts';
import { databaseOptions, jsonOption, serviceOptions } from '../options.ts';
import { printJson, printTable, say } from '../output.ts';
import { chooseService, openService } from '../service.ts';
import type { ServiceFlags } from '../service.ts';

export const list = defineCommand({
  arguments: {},
  options: { ...serviceOptions, ...databaseOptions, ...jsonOption },
  examples: [
    ['agents list', 'the agents of the service that VOICE_API_URL names'],
    ['agents list --service simulated --json', 'those of the embedded service, as JSON'],
  ],
  run: (args, io) =>
    withService(args, io, async (service) => {
      const { agents, complete } = await service.listAgents();
      if (args.json) printJson(io, { service: service.name, agents, complete });
      else if (agents.length > 0) {
        const rows = agents.map(({ id, name }) => [id, name]);
        printTable(io, ['AGENT', 'NAME'], rows);
      }
      if (agents.length === 0) {
        say(io, `${service.url} has no agents; \`callsheet agents create\` makes one.`);
      }
      if (!complete) say(io, 'There may be more: not every page or entry could be read.');
      return EXIT.ok;
    }),
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
    const systemPrompt = readPrompt(args['system-prompt-file'], io);
    return withService(args, io, async (service) => {
      const agent = await service.createAgent({
        name: args.name,
        systemPrompt,
        ...(voice !== undefined && { voice }),
      });
      if (args.json) printJson(io, agent);
      else io.stdout.write(`${agent.id}\n`);
      say(io, `Agent ${args.name} is created; call a list with \`--agent ${agent.id}\`.`);
      return EXIT.ok;
    });
  },
});

async function withService<T>(
  flags: ServiceFlags & { db?: string | undefined },
  io: Io,
  use: (service: VoiceService) => Promise<T>,
): Promise<T> {
  const { service, close } = await openService(chooseService(flags, io), flags, io);
  try {
    return await use(service);
  } finally {
    await close();
  }
}

function readPrompt(path: string, io: Io): string {
  let text: string;
  try {
    const bytes = readFileSync(resolve(io.cwd, path));
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch (cause) {
    throw unusable(`--system-prompt-file "${path}" cannot be read: ${messageOf(cause)}.`, cause);
  }
  if (text === '')
    throw unusable(`--system-prompt-file "${path}" is empty; the agent needs a prompt.`);
  return text;
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

function unusable(message: string, cause?: unknown): AppError {
  return new AppError('AGENT_INPUT_UNUSABLE', message, {
    exitCode: EXIT.usage,
    hint: 'see `callsheet agents create --help`',
    cause,
  });
}
