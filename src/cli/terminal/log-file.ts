import { appendFileSync, closeSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type AppError, messageOf, usageError } from '../../runtime/errors.ts';
import { makeFolder } from '../../runtime/files.ts';
import type { Io } from '../io.ts';
import { requireNoDatabaseFile } from '../../app/places/output-file.ts';
import { invalidFlag } from '../../config/campaign-file.ts';

/** Placeholder for the day in a log file's name. */
const DAY = '{date}';
/** How each line that callsheet logs begins: `2026-01-05T18:00:00-05:00 `. */
const OURS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d /;

/**
 * Appends messages to a file, one per line; its name may contain the day. The file is opened for every line, so that it
 * can be rotated or removed at any time. A line that cannot be written never stops the command.
 */
export class LogFile {
  readonly #path: string;
  readonly #tell: (sentence: string) => void;
  /** How many lines could not be written since the last one that could. */
  #lost = 0;

  /**
   * @param path absolute, with `{date}` for the day
   * @param day the day of the first lines, `2026-01-05`
   * @param tell called once when the file cannot be written any more
   */
  constructor(path: string, day: string, tell: (sentence: string) => void, io: Io) {
    this.#path = path;
    this.#tell = tell;
    const first = this.pathOn(day);
    requireNoDatabaseFile(first, io);
    try {
      makeFolder(dirname(first));
      append(first, '');
    } catch (error) {
      throw unusable(first, `cannot be written (${messageOf(error)})`, error);
    }
    refuseForeign(first);
  }

  pathOn(day: string): string {
    return this.#path.replaceAll(DAY, day);
  }

  /** @param lines complete lines, with their line ends */
  append(day: string, lines: string): void {
    const path = this.pathOn(day);
    const missing = `${this.#lost} messages before this one could not be written.\n`;
    const [head = ''] = OURS.exec(lines) ?? [];
    try {
      // The last failed write may have left half a line, so this one begins on a new line.
      append(path, this.#lost === 0 ? lines : `\n${head}${missing}${lines}`);
      this.#lost = 0;
    } catch (error) {
      this.#lost += 1;
      if (this.#lost > 1) return;
      this.#tell(
        `The log file ${path} cannot be written (${messageOf(error)}): the command goes on without it, and each message tries again.`,
      );
    }
  }
}

export function logFilePath(text: string, cwd: string): string {
  if (text === '-' || /[/\\]$/.test(text))
    throw invalidFlag(`--log-file "${text}" is no file's name; messages are on stderr without it.`);
  const other = /%[a-zA-Z]|\{[^{}]*\}/.exec(text.replaceAll(DAY, ''))?.[0];
  if (other === undefined) return resolve(cwd, text);
  throw invalidFlag(
    `--log-file "${text}": ${other} means nothing there; the day is written ${DAY}, e.g. data/logs/night-${DAY}.log.`,
  );
}

function append(path: string, text: string): void {
  appendFileSync(path, text, { mode: 0o600 });
}

/** Refuses a file that callsheet did not begin as a log, so that no list, key or settings file gets log lines. */
function refuseForeign(path: string): void {
  const found = statSync(path);
  if (!found.isFile()) {
    if (found.isCharacterDevice()) return;
    throw unusable(path, 'is no regular file');
  }
  const head = Buffer.alloc(Math.min(found.size, 64));
  const file = openSync(path, 'r');
  try {
    readSync(file, head);
  } finally {
    closeSync(file);
  }
  if (found.size === 0 || OURS.test(head.toString('utf8'))) return;
  throw unusable(path, 'is there already, and does not begin as a log of callsheet');
}

function unusable(path: string, why: string, cause?: unknown): AppError {
  const message = `The log file ${path} ${why}; give a new file, or a log that callsheet began. Nobody was called.`;
  return usageError(
    'LOG_FILE_UNUSABLE',
    message,
    `name another one, e.g. --log-file data/logs/night-${DAY}.log`,
    cause,
  );
}
