import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readChoice, type ColumnChoice } from '../../leads/columns/column-choices.ts';
import type { Options } from './command.ts';
import { readAsOf } from './days.ts';
import type { Io } from '../io.ts';

/** How a list is to be read, for every command that takes one. */
export const listOptions = {
  map: { type: 'texts', describe: 'which column holds what, e.g. --map phone="Mobile Phone"' },
  encoding: {
    type: 'text',
    describe: 'of the list, e.g. windows-1251; default found by its bytes',
  },
  sheet: { type: 'text', describe: 'of a workbook (.xlsx); default the first' },
  'as-of': { type: 'text', describe: 'the day for which the list is true, e.g. 2026-01-05' },
} as const satisfies Options;

export interface ListFlags {
  map?: string[];
  encoding?: string | undefined;
  sheet?: string | undefined;
  'as-of'?: string | undefined;
  /** An import that was broken off does not go on: another list takes its place. */
  instead?: boolean;
}

/** The same, read. */
export interface ListInput {
  choices: readonly ColumnChoice[];
  encoding: string | undefined;
  sheet: string | undefined;
  /** Epoch ms, or null. */
  asOf: number | null;
}

/** How a list from standard input is called. */
export const STANDARD_INPUT = 'stdin';

/** @param now epoch ms @throws AppError `FLAG_INVALID` (exit 2) */
export function readListFlags(flags: ListFlags, now: number): ListInput {
  return {
    choices: (flags.map ?? []).map(readChoice),
    encoding: flags.encoding,
    sheet: flags.sheet,
    asOf: flags['as-of'] === undefined ? null : readAsOf(flags['as-of'], now),
  };
}

/** A list is read more than once, and standard input is not: it is kept in a file (mode 0600) meanwhile. */
export async function keepStandardInput(
  io: Io,
): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'callsheet-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, STANDARD_INPUT);
    const signal = io.underway?.signal;
    const copy = createWriteStream(path, { mode: 0o600 });
    await (signal === undefined ? pipeline(io.stdin, copy) : pipeline(io.stdin, copy, { signal }));
    io.underway?.cleanUps.add(remove);
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
