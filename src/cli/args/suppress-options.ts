import { readUntil } from '../../app/typed-day.ts';
import type { CommandIo } from '../io.ts';
import type { Options } from './command.ts';
import { databaseOptions, jsonOption } from './options.ts';

/** Options for an entry of the suppression list. */
export const suppressOptions = {
  note: { type: 'text', describe: 'why, for those who look it up' },
  until: {
    type: 'text',
    describe: 'the last day on which it holds, e.g. 2026-07-01; default for good',
  },
  country: { type: 'text', describe: 'country of numbers without +, e.g. US; default none' },
  ...databaseOptions,
  ...jsonOption,
} as const satisfies Options;

/** The end of the day that `--until` names; null: for good. @throws AppError those of `readUntil` */
export async function suppressedUntil(
  { until }: { until?: string | undefined },
  io: Pick<CommandIo, 'clock' | 'timezone'>,
): Promise<number | null> {
  return until === undefined ? null : readUntil('--until', until, io);
}
