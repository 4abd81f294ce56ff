import {
  listNights,
  type NightList,
  type NightTotals,
  type NightView,
} from '../../../app/nights/nights.ts';
import { rounded } from '../../../domain/money.ts';
import { DIAL_KINDS, type DialKind, type NightEnd } from '../../../domain/nights/night-end.ts';
import { nightText } from '../../../domain/nights/night.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time-units.ts';
import { costSumText, grouped, percent } from '../../../text/amounts.ts';
import { localTime, withIso } from '../../../text/times.ts';
import { counted, shellWord } from '../../../text/wording.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, wholeNumber } from '../../args/options.ts';
import type { Outcome } from '../../print/outcome.ts';

const MOST_NIGHTS = 10_000;

export const nights = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...databaseOptions,
    limit: { type: 'text', describe: 'how many of the newest nights', default: '30' },
  },
  examples: [
    ['nights spring', 'what each night has brought, and why it ended'],
    [
      'nights spring --limit 7 --json',
      'the last week, for another program; totals are of all nights',
    ],
  ],
  notes: `A night is the date on which its calls begin, also of those after midnight. The rate is the share of answered
calls among those that have ended. Calls from before nights were kept are one line, "before". Talk time is that of all
calls, as stop.talkMinutes counts it: also where a machine answered, and the longest that a call can have been where
the service gave no duration. \`summary\` counts the answered calls alone.`,
  run: async ({ campaign, db, limit }, io) => {
    const most = wholeNumber('--limit', limit, { min: 1, max: MOST_NIGHTS });
    return nightsOutcome(await listNights({ campaign, db, limit: most }, io));
  },
});

/** The output of `nights`: a line a night and the sum of all. */
export function nightsOutcome(list: NightList): Outcome {
  const { campaign, timezone, nights, totals, older } = list;
  return {
    json: {
      ...{ campaign, timezone, nights: nights.map((night) => nightJson(night, timezone)) },
      ...{ totals: totalsJson(totals), olderNights: older },
    },
    ...(nights.length > 0 && {
      fitted: [HEADERS, [...nights.map((night) => toRow(night, timezone)), totalRow(totals)]],
    }),
    hints: [
      ...(older > 0 ? [`${counted(older, 'older night')} not shown; --limit shows more.`] : []),
      ...resultLines(nights),
    ],
    told:
      nights.length > 0
        ? []
        : [
            `${campaign} has called nobody yet; \`callsheet status ${shellWord(campaign)}\` says why.`,
          ],
  };
}

const HEADERS = [
  ...['NIGHT', 'CALLED', 'MADE', 'REFUSED', 'DOUBT', 'NOT MADE'],
  ...['ANSWERED', 'TALK', 'COST', 'ENDED', 'FILE'],
];

function toRow(night: NightView, timezone: string) {
  const { beganAt, lastAt, end, endedBy, resultsFile, resultsAt } = night;
  const time = (ms: number) =>
    localTime(ms, timezone).slice('2026-01-05 '.length, '2026-01-05 15:00'.length);
  return [
    night.night === '' ? 'before' : nightText({ date: night.night }),
    night.night === '' ? null : `${time(beganAt)}-${time(lastAt)}`,
    ...dialsOf(night),
    answersOf(night),
    talkOf(night),
    costOf(night),
    end === null ? null : endText(end, endedBy),
    resultsFile === null ? null : resultsAt === null ? 'old' : 'yes',
  ];
}

function totalRow(totals: NightTotals) {
  return [
    counted(totals.nights, 'night'),
    ...[null, ...dialsOf(totals)],
    ...[answersOf(totals), talkOf(totals), costOf(totals), null, null],
  ];
}

type Figures = Pick<NightView, DialKind | 'answered' | 'ended' | 'talkMs' | 'costs'>;

/** A column of zeros is left out where the terminal is narrow. */
function dialsOf(figures: Figures) {
  return DIAL_KINDS.map((kind) => (figures[kind] === 0 ? 0 : grouped(figures[kind])));
}

function answersOf({ answered, ended }: Figures): string {
  return ended === 0 ? '0' : `${grouped(answered)} (${percent(answered, ended)})`;
}

/** Longer talk times are hours. */
const MOST_MINUTES = 600;

function talkOf({ talkMs }: Figures): string {
  const minutes = Math.round(talkMs / MINUTE_MS);
  return minutes < MOST_MINUTES ? `${minutes} min` : `${(talkMs / HOUR_MS).toFixed(1)} h`;
}

function costOf({ costs }: Figures): string | null {
  if (costs.length === 0) return null;
  return costs.map(({ currency, total }) => costSumText(total, currency)).join(', ');
}

function endText(end: NightEnd, endedBy: string | null): string {
  if (end !== 'budget') return ENDS[end];
  const [, key = '', total] = (endedBy ?? '').split('.');
  return total === undefined ? (BUDGETS[key] ?? ENDS.budget) : 'total budget';
}

const ENDS: Record<NightEnd, string> = {
  final: 'all final',
  cancelled: 'cancelled',
  paused: 'paused',
  budget: 'budget',
  hours: 'hours closed',
  due: 'nobody due',
  limit: '--limit',
  until: '--until',
  interrupted: 'interrupted',
  person: 'see status',
  atWork: 'at work now',
  notKnown: 'not known',
};

/** By the key of `stop`. */
const BUDGETS: Record<string, string> = {
  calls: 'call budget',
  talkMinutes: 'talk budget',
  cost: 'cost budget',
  answered: 'answer budget',
  at: 'stop.at',
};

/** Where the results of these nights are: names that differ in the date alone are one line. */
function resultLines(nights: readonly NightView[]): string[] {
  const files = new Map<string, number>();
  for (const { resultsFile, night } of nights) {
    if (resultsFile === null) continue;
    const pattern = resultsFile.replaceAll(night, '{date}');
    files.set(pattern, (files.get(pattern) ?? 0) + 1);
  }
  const old = nights.some(
    ({ resultsFile, resultsAt }) => resultsFile !== null && resultsAt === null,
  );
  return [
    ...Array.from(files, ([file, count]) => `Results of ${counted(count, 'night')}: ${file}`),
    ...(old ? ['FILE old: calls were made, or went on, after that file was written.'] : []),
  ];
}

function nightJson({ night, endedBy, end, ...view }: NightView, timezone: string) {
  const { beganAt, lastAt, resultsAt, resultsFile, open } = view;
  const times = { firstCallAt: beganAt, lastCallAt: lastAt, resultsAt };
  const weekday = night === '' ? null : nightText({ date: night }).slice(0, 3);
  return {
    night: night === '' ? 'before' : night,
    weekday,
    ...figuresJson(view),
    ...{ inProgress: open, end, endedBy, resultsFile },
    ...withIso(times, ['firstCallAt', 'lastCallAt', 'resultsAt'], timezone),
  };
}

function totalsJson({ nights, ...totals }: NightTotals) {
  return { nights, ...figuresJson(totals) };
}

function figuresJson({ ended, answered, talkMs, costs, ...dials }: Figures) {
  const { made, refused, inDoubt, notMade } = dials;
  return {
    ...{ made, refused, inDoubt, notMade, ended, answered },
    /** 0 to 1; null where no call has ended. */
    answerRate: ended === 0 ? null : rounded(answered / ended),
    talkMs,
    costs: costs.map(({ currency, total }) => ({ currency, total: Number(total) })),
  };
}
