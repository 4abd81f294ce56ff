import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { readKey } from '../../../config/key-owner.ts';
import { AppError, EXIT, messageOf } from '../../../runtime/errors.ts';
import { testKey, type ServiceAnswer } from '../../../app/services/test-key.ts';
import { askHidden } from '../../terminal/ask.ts';
import { leftOff } from './init-answers.ts';
import type { CommandIo } from '../../io.ts';
import { say } from '../../terminal/output.ts';
import { asSentence } from '../../../text/plural.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { invalidFlag } from '../../../config/hints.ts';

export interface TestedKey {
  key: string;
  /** True if the key was typed and is still to be written; false if its file exists. */
  isNew: boolean;
  /** What the service answered to the key; undefined: the key could not be tested. */
  seen: ServiceAnswer | undefined;
}

/**
 * The key of an existing file, else a typed one; the question is repeated if the service refuses the key.
 *
 * @throws AppError `FLAG_INVALID`, `SERVICE_KEY_MISSING`, `NOT_CONFIRMED` (exit 2), `SERVICE_KEY_REFUSED` (exit 4)
 */
export async function testedKey(
  path: string,
  service: { name: string; url: string; profile: string },
  io: CommandIo,
): Promise<TestedKey> {
  const first = await keyFrom(path, service.name, io);
  const { isNew } = first;
  let { key } = first;
  for (;;) {
    try {
      return { key, isNew, seen: await testKey({ ...service, key }, io) };
    } catch (error) {
      const isRefused = error instanceof AppError && error.exitCode === EXIT.key;
      if (!isRefused) {
        say(io, `The service could not be asked: ${asSentence(messageOf(error))}`);
        say(
          io,
          'So neither the key nor the agent is tested now; `callsheet doctor --service NAME` tests the key later.',
        );
        return { key, isNew, seen: undefined };
      }
      if (!isNew) throw refused(error, path);
      say(io, asSentence(messageOf(error)));
      const other = await typeKey(
        io,
        'Another API key (it is not shown; empty keeps the refused one): ',
        true,
      );
      if (other === '') {
        say(io, 'The refused key is kept. Neither the key nor the agent is tested.');
        return { key, isNew, seen: undefined };
      }
      key = other;
    }
  }
}

/** @throws AppError `FLAG_INVALID`, `NOT_CONFIRMED` (exit 2) */
async function keyFrom(path: string, service: string, io: CommandIo) {
  if (existsSync(path)) return { key: readKey(io, service, '', path).key, isNew: false };
  if (!existsSync(dirname(path)))
    throw invalidFlag(`--key-file: there is no folder ${dirname(path)}.`);
  if (!io.attended) {
    const make = `(umask 077 && cat > ${shellWord(path)})`;
    throw invalidFlag(`--key-file: there is no file ${path}; \`${make}\` makes it.`);
  }
  const question = `The API key, for ${path} (it is not shown): `;
  return { key: await typeKey(io, question, false), isNew: true };
}

/** @returns '' only where `mayBeEmpty` */
async function typeKey(io: CommandIo, question: string, mayBeEmpty: boolean): Promise<string> {
  for (;;) {
    const key = await askHidden(io, question);
    if (key === undefined) throw leftOff();
    if (/^[\x21-\x7e]+$/.test(key) || (key === '' && mayBeEmpty)) return key;
    say(
      io,
      key === ''
        ? 'Nothing was typed; paste the key.'
        : 'A key has letters, digits and symbols, and no spaces.',
    );
  }
}

function refused(error: AppError, path: string): AppError {
  return new AppError(error.code, error.message, {
    hint: `put a key that the service accepts into ${path}; nothing was written`,
    exitCode: EXIT.key,
    cause: error,
  });
}
