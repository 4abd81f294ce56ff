import { isGone } from '../runtime/process.ts';
import type { Campaign, Progress, Runner } from '../store/port.ts';
import type { Io } from './io.ts';
import { localTime } from './local-time.ts';

/** A runner says every two seconds that it lives; one that has not for this long is not counted. */
const SILENT_MS = 15_000;

export const STATUS_HEADERS = [
  'CAMPAIGN',
  'STATE',
  'RUNNER',
  'WAITING',
  'CALLING',
  'UNKNOWN',
  'DONE',
  'ANSWERED',
  'NEXT',
  'SERVICE',
] as const;

/** One line of `list` and `status`. */
export function statusRow(
  { name, state, pauseReason, service, settings, archivedAt }: Campaign,
  progress: Progress,
  runner: string | null,
): (string | number | null)[] {
  const { waiting, calling, unknown, done, results, nextDueAt } = progress;
  const isDue = nextDueAt === null || nextDueAt === 0 || state !== 'running';
  return [
    name,
    archivedAt !== undefined
      ? `${state} (archived)`
      : pauseReason === null
        ? state
        : `${state} (${pauseReason})`,
    runner,
    waiting,
    calling,
    unknown,
    done,
    results.answered ?? 0,
    isDue ? null : localTime(nextDueAt, settings.timezone),
    service,
  ];
}

/** Who works on the campaign now: the process, how many more, or null. */
export function runnerOf(runners: readonly Runner[], io: Io): string | null {
  const alive = runners.filter(
    (runner) => runner.seenAt > io.clock.now() - SILENT_MS && !isGone(runner, io.owner),
  );
  const [first] = alive;
  if (first === undefined) return null;
  const where = first.host === io.owner.host ? '' : `@${first.host}`;
  return `pid ${first.pid}${where}${alive.length > 1 ? ` +${alive.length - 1}` : ''}`;
}
