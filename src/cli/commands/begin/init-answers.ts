import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { requireLists } from '../../../app/places/list-or-campaign.ts';
import { SAMPLE } from '../../../app/repair/init-files.ts';
import * as calling from '../../../config/calling-fields.ts';
import * as field from '../../../config/fields.ts';
import { withoutPassword } from '../../../config/keys.ts';
import { findProfile } from '../../../config/profiles.ts';
import { SIMULATED } from '../../../config/services-file.ts';
import { loadRule } from '../../../config/rules/load-rule.ts';
import { AppError, messageOf, usageError } from '../../../runtime/errors.ts';
import type { CommandIo } from '../../io.ts';
import type { Options, OptionValues } from '../../args/command.ts';
import { say } from '../../terminal/output.ts';
import { invalidFlag, readField } from '../../../config/campaign-file.ts';

/** What `init` asks for; each answer can also be given as a flag. */
export const initOptions = {
  'service-url': { describe: 'base address of the service' },
  service: {
    describe: 'how services.yaml is to name it; default main; simulated: built in',
  },
  profile: { describe: 'name or path of its profile; default voice-agent' },
  'key-file': {
    describe:
      'file with the API key; made, mode 0600, where it is not there; default <service>.key',
  },
  agent: { describe: 'ID of the voice agent' },
  list: { describe: 'the first list; sample: a copy of fictional numbers' },
  name: { describe: "the campaign's name; default the list's" },
  country: { describe: 'country of numbers without +, its name or e.g. US; default none' },
  timezone: { describe: "the campaign's zone; default the machine's" },
  rules: {
    describe: 'calling rules by name or path; local on live services, else always',
  },
} as const satisfies Options;

export type InitFlags = OptionValues<typeof initOptions>;
type InitKey = keyof InitFlags;

/**
 * The answer from a flag, else from the terminal, where the question is repeated until the answer is valid.
 *
 * @param usual what an empty answer means; undefined: an empty answer is not allowed
 * @param read throws an AppError that says what is allowed
 * @throws AppError `FLAG_INVALID`, and `NOT_CONFIRMED` (exit 2) at the end of input
 */
export async function answerTo(
  flag: InitKey,
  words: string,
  usual: string | undefined,
  read: (text: string) => string | Promise<string>,
  flags: InitFlags,
  io: CommandIo,
): Promise<string> {
  const given = flags[flag] ?? (io.attended ? undefined : usual);
  if (given !== undefined) return given === '' ? '' : read(given);
  let meant = usual;
  for (;;) {
    const shown =
      meant === undefined ? '' : ` [${meant === '' ? 'none: they are not called' : meant}]`;
    const line = await io.ask(`${words}${shown}: `);
    if (line === undefined) throw leftOff();
    const answer = line === '' ? meant : line;
    try {
      if (answer === '') return '';
      if (answer !== undefined) return await read(answer);
      say(io, 'An answer is needed.');
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'NOT_CONFIRMED') throw error;
      // Nobody has typed a flag.
      const told = messageOf(error).replace(/^--[a-z-]+:? /, '');
      say(io, told);
      // Enter says yes to what it asks.
      meant = /; did you mean ([\w/+-]+)\?$/.exec(told)?.[1] ?? usual;
    }
  }
}

/** Without a terminal, refuses if flags without a usual value are missing, and names all of them at once. */
export function requireFlags(needed: readonly InitKey[], flags: InitFlags, io: CommandIo): void {
  if (io.attended) return;
  const missing = needed.filter((flag) => flags[flag] === undefined).map(typed);
  if (missing.length === 0) return;
  throw usageError(
    'USAGE',
    `\`callsheet init\` needs ${missing.join(', ')}: there is no terminal to ask on.`,
    'give them, or run it on a terminal; nothing was written',
  );
}

/** The flag as typed: `--key-file` for `keyFile`. */
function typed(key: InitKey): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function leftOff(): AppError {
  return usageError(
    'NOT_CONFIRMED',
    'Not all questions were answered: nothing was written.',
    'run `callsheet init` again',
  );
}

/** The parser of each answer, with the rules and messages of the configuration files. */
export const readers = {
  url: (text: string) =>
    text === SIMULATED
      ? text
      : readField('--service-url', field.serviceUrl, text, withoutPassword(text)),
  serviceName: (text: string) => {
    if (text === SIMULATED)
      throw invalidFlag('--service "simulated" is the embedded service and is always there.');
    return readField('--service', field.serviceName, text);
  },
  campaignName: (text: string) => readField('--name', field.campaignName, text),
  country: (text: string) => readField('--country', field.country, text) ?? '',
  timezone: (text: string) => readField('--timezone', field.timezone, text),
  rules: (home: string) => (text: string) => {
    for (const name of readField('--rules', calling.rules, text))
      if (name !== 'always') loadRule(name, join(home, 'campaigns'), home);
    return text;
  },
  profile: (io: CommandIo, home: string) => (text: string) => {
    findProfile(text, { cwd: io.cwd, home });
    return text;
  },
  list:
    ({ cwd }: CommandIo) =>
    (text: string) => {
      const isThere = statSync(resolve(cwd, text), { throwIfNoEntry: false })?.isFile() === true;
      // `init` writes it with the other files.
      if (text === SAMPLE && !isThere) return resolve(cwd, `${text}.csv`);
      // A terminal pastes a path as a shell takes it.
      const pasted = text
        .trim()
        .replace(/^~(?=\/)/, homedir())
        .replace(/^(["'])(.*)\1$/, '$2')
        .replaceAll('\\ ', ' ');
      const said = isThere ? text : pasted;
      requireLists(said, cwd);
      return resolve(cwd, said);
    },
};
