import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLE_FILE, MEND_FILE, MEND_VALUE } from '../../config/hints.ts';
import { AppError } from '../../runtime/errors.ts';
import type { CommandRow } from './command.ts';
import { homeOf } from '../../app/places/home.ts';
import type { Io } from '../io.ts';

/** What is wrong with a value is told by those who do not know whose it is: the command's help is named here. */
export function withHelpOf({ name }: CommandRow, error: unknown, io: Io): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.hint !== MEND_VALUE && error.hint !== MEND_FILE) return error;
  const help = error.hint.replace('--help', `${name} --help`);
  const isOfCampaign = error.code !== 'FLAG_INVALID';
  const hint = isOfCampaign ? help + exampleIn(io) : help;
  return new AppError(error.code, error.lines, { hint, exitCode: error.exitCode, cause: error });
}

/** Only a file that is there is named. */
function exampleIn(io: Io): string {
  return existsSync(join(homeOf(io).folder, EXAMPLE_FILE))
    ? `, and ${EXAMPLE_FILE} shows every key`
    : '';
}
