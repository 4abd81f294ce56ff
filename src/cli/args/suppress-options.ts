import { usageError } from '../../runtime/errors.ts';
import { localTime } from '../../text/local-time.ts';
import type { CommandIo } from '../io.ts';
import type { Options } from './command.ts';
import { readDay } from './list-input.ts';
import { databaseOptions, jsonOption } from './options.ts';

/** Options for an entry of the suppression list. */
export const suppressOptions = {
  note: { type: 'text', describe: 'why, for whoever looks it up' },
  until: {
    type: 'text',
    describe: 'the last day on which it holds, e.g. 2026-07-01; default for good',
  },
  country: { type: 'text', describe: 'country of numbers without +, e.g. US; default none' },
  ...databaseOptions,
  ...jsonOption,
} as const satisfies Options;

/**
 * The end of the day that `--until` names, in the machine's zone, epoch ms; null: for good.
 *
 * @throws AppError `FLAG_INVALID` (exit 2), also for a day that is over: such an entry would suppress nobody
 */
export async function suppressedUntil(
  { until }: { until?: string | undefined },
  { clock, timezone }: Pick<CommandIo, 'clock' | 'timezone'>,
): Promise<number | null> {
  if (until === undefined) return null;
  readDay('--until', until);
  // Loaded only here, because most commands do not need the library of wall clocks.
  const { endOfDay } = await import('../../text/wall-clock.ts');
  const end = endOfDay(until, timezone);
  if (end > clock.now()) return end;
  throw usageError(
    'FLAG_INVALID',
    `--until "${until}" has passed: that day ended at ${localTime(end, timezone)}, so that nobody would be suppressed.`,
    'give today or a later day, or leave --until out: for good',
  );
}
