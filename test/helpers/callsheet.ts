import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import type { Io } from '../../src/cli/io.ts';
import { main as mainOfSources } from '../../src/cli/main.ts';
import { fakeIo, type FakeIo } from './fake-io.ts';
import { tempFolder, type AtEnd } from './files/temp.ts';

export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** A working folder with its environment: commands run in it one after the other, as one person types them. */
export interface Desk {
  cwd: string;
  env: Record<string, string>;
  /** Runs a command in this process to its end. `typed` stands on a terminal, and may answer a question. */
  run(argv: readonly string[], given?: Partial<Io> & { typed?: string }): Promise<Ended>;
  /** Begins a command in this process, for tests that meddle with it. */
  begin(argv: readonly string[], given?: Partial<Io>): { io: FakeIo; ended: Promise<Ended> };
  path(name: string): string;
  write(name: string, content: string | Uint8Array): string;
  has(name: string): boolean;
  read(name: string): string;
}

/**
 * @param atEnd removes the folder; default: at the end of the test
 * @param main default: that of the sources
 */
export function desk(
  env: Record<string, string> = {},
  atEnd?: AtEnd,
  main: typeof mainOfSources = mainOfSources,
): Desk {
  const cwd = tempFolder(atEnd);
  const begin: Desk['begin'] = (argv, given = {}) => {
    const io = fakeIo({ cwd, env, newId: ids(), ...given });
    const ended = main(argv, io).then(async (code) => {
      if (argv.includes('--json')) await holdAgainstView(argv, io.out());
      return { code, out: io.out(), err: io.err() };
    });
    return { io, ended };
  };
  return {
    cwd,
    env,
    begin,
    run: async (argv, { typed, ...given } = {}) => {
      const onTerminal = typed === undefined ? {} : { stdinIsTty: true, stderrIsTty: true };
      const { io, ended } = begin(argv, { ...onTerminal, ...given });
      if (typed !== undefined) io.stdin.end(typed);
      return ended;
    },
    path: (name) => join(cwd, name),
    write: (name, content) => {
      writeFileSync(join(cwd, name), content);
      return join(cwd, name);
    },
    has: (name) => existsSync(join(cwd, name)),
    read: (name) => readFileSync(join(cwd, name), 'utf8'),
  };
}

/** Whatever a command prints with `--json` is of its view, with no key more; whole, or each line. */
async function holdAgainstView(argv: readonly string[], out: string): Promise<void> {
  const row = COMMANDS.find(({ name }) => `${argv.join(' ')} `.startsWith(`${name} `));
  const view = (await row?.load())?.json;
  // With `-o -` the results themselves are there.
  if (row === undefined || out.trim() === '' || argv[argv.indexOf('-o') + 1] === '-') return;
  if (view === undefined) throw new Error(`${row.name} prints JSON without a view: ${out}`);
  const texts = isJson(out) ? [out] : out.trim().split('\n');
  for (const text of texts) {
    const value: unknown = JSON.parse(text);
    expect(view.parse(value), `callsheet ${argv.join(' ')}`).toEqual(value);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The rows of a CSV file by their column names. */
export function rowsOf(text: string): Record<string, string>[] {
  return parse(text, { columns: true });
}

/** Ids as long as real ones and never given twice, whatever command asks. */
let given = 0;
function ids(): Io['newId'] {
  return (prefix) => `${prefix}_${String((given += 1)).padStart(6, '0')}`;
}
