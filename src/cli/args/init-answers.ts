import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { campaignNameOf } from '../../config/campaign-file.ts';
import * as field from '../../config/fields.ts';
import { withoutPassword } from '../../config/keys.ts';
import { findProfile } from '../../config/profiles.ts';
import { AppError, messageOf, usageError } from '../../runtime/errors.ts';
import { ask } from '../terminal/ask.ts';
import type { CommandIo } from '../io.ts';
import { say } from '../terminal/output.ts';
import { invalidFlag } from '../../config/hints.ts';

/** What `init` asks for; each is a flag, too. */
export interface InitFlags {
  serviceUrl?: string | undefined;
  service?: string | undefined;
  profile?: string | undefined;
  keyFile?: string | undefined;
  agent?: string | undefined;
  list?: string | undefined;
  name?: string | undefined;
  country?: string | undefined;
  timezone?: string | undefined;
  rules?: string | undefined;
}

export type InitKey = keyof InitFlags;

export interface Question {
  flag: InitKey;
  words: string;
  /** What an empty answer means; undefined: it needs one. */
  usual?: string | undefined;
  /** @throws AppError that says what is allowed */
  read?: (text: string) => string;
}

/**
 * The answer by flag, else by asking, again and again until it can be read.
 *
 * @throws AppError `FLAG_INVALID`, and `NOT_CONFIRMED` (exit 2) at the end of input
 */
export async function answerTo(
  question: Question,
  flags: InitFlags,
  io: CommandIo,
): Promise<string> {
  const { flag, words, usual, read = (text: string) => text } = question;
  const given = flags[flag] ?? (canAsk(io) ? undefined : usual);
  if (given !== undefined) return given === '' ? '' : read(given);
  for (;;) {
    const shown = usual === undefined ? '' : ` [${usual === '' ? 'none' : usual}]`;
    const line = await ask(io, `${words}${shown}: `);
    if (line === undefined) throw leftOff();
    const answer = line === '' ? usual : line;
    try {
      if (answer === '') return '';
      if (answer !== undefined) return read(answer);
      say(io, `An answer is needed; ${typed(flag)} gives it without asking.`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      say(io, messageOf(error));
    }
  }
}

/** Off a terminal all flags without a usual value are needed: they are named at once. */
export function requireFlags(needed: readonly InitKey[], flags: InitFlags, io: CommandIo): void {
  if (canAsk(io)) return;
  const missing = needed.filter((flag) => flags[flag] === undefined).map(typed);
  if (missing.length === 0) return;
  throw usageError(
    'USAGE',
    `\`callsheet init\` needs ${missing.join(', ')}: there is no terminal to ask on.`,
    'give them, or run it on a terminal; nothing was written',
  );
}

/** `--key-file` for `keyFile`. */
function typed(key: InitKey): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function canAsk(io: CommandIo): boolean {
  return io.stdinIsTty && io.stderrIsTty;
}

export function leftOff(): AppError {
  return usageError(
    'NOT_CONFIRMED',
    'The questions were left: nothing was written.',
    'run `callsheet init` again; every answer can be given as a flag',
  );
}

/** How each is read, in the words of configuration files. */
export const readers = {
  url: (text: string) =>
    checked('--service-url', field.serviceUrl.safeParse(text), withoutPassword(text)),
  serviceName: (text: string) => {
    if (text === 'simulated')
      throw invalidFlag('--service "simulated" is the embedded service and is always there.');
    return checked('--service', field.serviceName.safeParse(text), text);
  },
  campaignName: (text: string) => checked('--name', field.campaignName.safeParse(text), text),
  country: (text: string) => checked('--country', field.country.safeParse(text), text) ?? '',
  timezone: (text: string) => checked('--timezone', field.timezone.safeParse(text), text),
  rules: (text: string) => {
    checked('--rules', field.rules.safeParse(text), text);
    return text;
  },
  profile: (io: CommandIo, home: string) => (text: string) => {
    findProfile(text, { cwd: io.cwd, home });
    return text;
  },
  list: (io: CommandIo) => (text: string) => {
    const path = resolve(io.cwd, text);
    if (existsSync(path) && statSync(path).isFile()) return path;
    throw invalidFlag(`--list "${text}": there is no list at ${path}.`);
  },
};

/** The usual name of a campaign: its list's. */
export function nameOfList(path: string): string {
  return campaignNameOf(path);
}

type Parsed<T> =
  { success: true; data: T } | { success: false; error: { issues: { message: string }[] } };

function checked<T>(flag: string, result: Parsed<T>, shown?: string): T {
  if (result.success) return result.data;
  const value = shown === undefined ? '' : ` "${shown}"`;
  throw invalidFlag(`${flag}${value} ${result.error.issues[0]?.message ?? 'is not allowed'}.`);
}
