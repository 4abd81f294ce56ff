import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../../../src/cli/main.ts';
import { fakeIo } from '../../../helpers/fake-io.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';

/** Runs a command in a folder to its end. */
export async function callsheet(cwd: string, ...argv: string[]) {
  const io = fakeIo({ cwd });
  const code = await main(argv, io);
  return { code, out: io.out(), err: io.err() };
}

/** Tries a profile on the files of `answers/`. */
export function tryAnswers(cwd: string, profile = 'voice-agent', ...flags: string[]) {
  return callsheet(cwd, 'profile', 'try', profile, '--samples', 'answers', ...flags);
}

/** A folder with `answers/`: what a service that nobody has seen answered, by file name. */
export function answers(files: Record<string, unknown>): string {
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'answers'));
  for (const [name, body] of Object.entries(files)) {
    writeFileSync(
      join(cwd, 'answers', name),
      typeof body === 'string' ? body : JSON.stringify(body),
    );
  }
  return cwd;
}
