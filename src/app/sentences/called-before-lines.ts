import { formatSkipCalled } from '../../config/setting-changes.ts';
import { grouped } from '../../text/amounts.ts';
import type { CalledBefore } from '../plan/called-before.ts';
import { localTime } from '../../text/local-time.ts';
import type { Plan } from '../plan/plan.ts';
import { counted } from '../../text/plural.ts';

const CAMPAIGNS_NAMED = 3;

/** What is said of it before anybody is asked. */
export function calledBeforeLines(
  found: CalledBefore | null,
  { settings }: Plan['resolved'],
): string[] {
  if (found === null) return [];
  const { people, leftOut, campaigns, ends } = found;
  const { skipCalled, timezone } = settings;
  const by = campaigns
    .slice(0, CAMPAIGNS_NAMED)
    .map(
      ({ name, people, lastAt }) =>
        `${grouped(people)} by ${quoted(name)} (last ${localTime(lastAt, timezone)})`,
    );
  const rest = campaigns.slice(CAMPAIGNS_NAMED);
  if (rest.length > 0) {
    const more = rest.reduce((sum, each) => sum + each.people, 0);
    by.push(`and ${grouped(more)} by ${counted(rest.length, 'other')}`);
  }
  const ended = Object.entries(ends)
    .toSorted(([, a], [, b]) => b - a)
    .map(([end, count]) => `${end} ${grouped(count)}`);
  const were = people === 1 ? 'was' : 'were';
  return [
    `Called before: ${grouped(people)} of these people ${were} called by other campaigns: ${by.join(', ')}. How the last call of each ended: ${ended.join(', ')}.`,
    whatBecomes(people, leftOut, skipCalled),
  ];
}

function whatBecomes(
  people: number,
  leftOut: number,
  skip: Parameters<typeof formatSkipCalled>[0],
): string {
  if (skip === undefined) {
    const who = people === 1 ? 'That one is' : 'They are';
    return `${who} called again; --skip-called ever leaves out whoever was called before, --skip-called 30d whoever was within 30 days.`;
  }
  const again = people - leftOut;
  const others =
    again === 0
      ? ''
      : `; ${grouped(again)} called longer ago ${again === 1 ? 'is' : 'are'} called again`;
  return `skipCalled ${formatSkipCalled(skip)}: ${grouped(leftOut)} of them ${leftOut === 1 ? 'is' : 'are'} left out and ${leftOut === 1 ? 'ends' : 'end'} as cancelled${others}.`;
}

/** For programs: times are ISO 8601. */
export function calledBeforeJson({ lastAt, campaigns, ...found }: CalledBefore) {
  const iso = (at: number) => new Date(at).toISOString();
  const by = campaigns.map(({ lastAt: at, ...campaign }) => ({ ...campaign, lastAt: iso(at) }));
  return { ...found, lastAt: iso(lastAt), campaigns: by };
}

function quoted(name: string | null): string {
  return name === null ? 'single calls' : `"${name}"`;
}
