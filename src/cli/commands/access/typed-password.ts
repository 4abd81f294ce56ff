import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { requireGoodPassword } from '../../../app/access/passwords.ts';
import { AppError, usageError } from '../../../runtime/errors.ts';
import type { CommandIo } from '../../io.ts';
import { askHidden } from '../../terminal/ask.ts';
import { say } from '../../terminal/output.ts';

/**
 * The password of a user, typed twice and not shown, and asked for again until it is good; off a terminal, the first
 * line of the standard input.
 *
 * @throws AppError `PASSWORD_TOO_SHORT`, `PASSWORD_GUESSABLE`, `PASSWORD_MISSING` (exit 2)
 */
export async function typedPassword(name: string, io: CommandIo): Promise<string> {
  // Without the question on the screen, what is typed would be shown there.
  if (!io.attended && io.stdinIsTty) throw missing();
  if (!io.attended) return requireGoodPassword(name, await firstLine(io.stdin));
  for (;;) {
    const first = await askHidden(io, `Password of ${name} (it is not shown): `);
    if (first === undefined) throw missing();
    const password = goodPassword(name, first, io);
    if (password === undefined) continue;
    const again = await askHidden(io, 'The same again: ');
    if (again === undefined) throw missing();
    if (again === first) return password;
    say(io, 'These were two different passwords; type one of them twice.');
  }
}

/** Undefined: it is not, which the person has been told. */
function goodPassword(name: string, typed: string, io: CommandIo): string | undefined {
  try {
    return requireGoodPassword(name, typed);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    say(io, `${error.message} Next: ${error.hint ?? ''}.`);
    return undefined;
  }
}

async function firstLine(stdin: Readable): Promise<string> {
  for await (const line of createInterface({ input: stdin })) return line;
  throw missing();
}

function missing() {
  return usageError(
    'PASSWORD_MISSING',
    'No password was given: nothing was changed.',
    'type it on a terminal, or give it as the first line of the standard input, as with `< password.txt`',
  );
}
