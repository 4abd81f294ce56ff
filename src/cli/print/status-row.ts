import type { Works } from '../../app/run/who-works.ts';
import type { CampaignView } from '../../app/watch/campaigns.ts';
import type { Campaign } from '../../store/port.ts';
import { localTime } from '../../text/local-time.ts';
import { shellWord } from '../../text/shell-word.ts';

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
export function statusRow({
  campaign,
  progress,
  works,
  now,
}: CampaignView): (string | number | null)[] {
  const { name, state, pauseReason, service, settings, archivedAt } = campaign;
  const { runner, since } = works;
  const { waiting, calling, unknown, done, results, nextDueAt } = progress;
  const isDue = nextDueAt === null || nextDueAt === 0 || state !== 'running';
  return [
    name,
    archivedAt !== undefined
      ? `${state} (archived)`
      : pauseReason === null
        ? state
        : `${state} (${pauseReason})`,
    runnerText(runner, { since, now }, settings.timezone) ?? (state === 'running' ? 'none' : null),
    waiting,
    calling,
    unknown,
    done,
    results.answered ?? 0,
    isDue ? null : localTime(nextDueAt, settings.timezone),
    service,
  ];
}

/** What a running campaign in which nobody is called needs said of it; null: nothing. */
export function nobodyCalls(
  { name, state }: Pick<Campaign, 'name' | 'state'>,
  { runner, calls }: Pick<Works, 'runner' | 'calls'>,
): string | null {
  if (state !== 'running' || calls !== null) return null;
  if (runner !== null) return `${name}: ${runner} collects and calls nobody.`;
  return `${name} is not over, and nobody calls: \`callsheet run ${shellWord(name)}\`.`;
}

/** `pid 4711 since 18:02`, with the day where it is another one. */
function runnerText(
  runner: string | null,
  { since, now }: { since: number | null; now: number },
  timezone: string,
): string | null {
  if (runner === null || since === null) return runner;
  const [today] = localTime(now, timezone).split(' ');
  const [day = '', time = ''] = localTime(since, timezone).split(' ');
  return `${runner} since ${day === today ? '' : `${day} `}${time.slice(0, 'hh:mm'.length)}`;
}
