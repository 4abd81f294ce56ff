import { nearest } from '../config/nearest.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { CommandRow } from './command.ts';

/**
 * The command that the first words name.
 *
 * @throws AppError `USAGE` (exit 2), naming the nearest
 */
export function findCommand(
  [first = '', second = '']: readonly string[],
  commands: readonly CommandRow[],
): CommandRow {
  const row = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (row !== undefined) return row;
  const hint = 'see `callsheet --help`';
  if (first.startsWith('-')) {
    const message = `The command comes first, then its options: "${first}" is none.`;
    throw new AppError('USAGE', message, { exitCode: EXIT.usage, hint });
  }
  const family = familyOf(first, commands);
  const names = (family.length > 0 ? family : commands).map(({ name }) => name);
  const asked = family.length > 0 && !second.startsWith('-') ? `${first} ${second}`.trim() : first;
  const near = nearest(asked, names);
  const meant =
    near !== undefined
      ? `did you mean "${near}"?`
      : family.length > 0
        ? `there are ${names.join(', ')}.`
        : 'nothing was done.';
  const message = `"${asked}" is not a command; ${meant}`;
  throw new AppError('USAGE', message, { exitCode: EXIT.usage, hint });
}

/** The commands of two words that begin with this one, e.g. `agents`. */
export function familyOf(first: string, commands: readonly CommandRow[]): CommandRow[] {
  return commands.filter(({ name }) => name.startsWith(`${first} `));
}
