import { statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { ServiceConfig } from '../../config/resolve-service.ts';
import type { World } from '../world.ts';
import { shellWord } from '../../text/shell-word.ts';

/** Which files were told of, by the input that each command has for itself: one command may choose a service many times. */
const told = new WeakMap<Readable, Set<string>>();

/**
 * Says once a command that others on this machine can read or change the file that holds the key. One that belongs to
 * somebody else, as a mounted secret does, is for them to close.
 */
export function warnOfOpenKey({ keyFile }: Pick<ServiceConfig, 'keyFile'>, world: World): void {
  if (keyFile === null || world.userId === undefined) return;
  const found = statSync(keyFile, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.uid !== world.userId || (found.mode & 0o077) === 0) return;
  const files = told.get(world.stdin) ?? new Set();
  if (files.has(keyFile)) return;
  told.set(world.stdin, files.add(keyFile));
  const mode = (found.mode & 0o777).toString(8).padStart(3, '0');
  const close = `chmod 600 ${shellWord(keyFile)}`;
  world.tell(
    `Warning: others on this machine can use the key in ${keyFile} (mode ${mode}); \`${close}\` keeps it to you.`,
  );
}
