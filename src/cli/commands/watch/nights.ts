import { listNights } from '../../../app/nights/nights.ts';
import { nightText } from '../../../domain/nights/night.ts';
import { localOf } from '../../../text/times.ts';
import { counted, shellWord } from '../../../text/wording.ts';
import { NIGHT_COLUMNS, type NightFigures } from '../../../views/night-figures.ts';
import { nights as nightsView, type Nights, type NightView } from '../../../views/results.ts';
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
  json: nightsView,
  notes: `A night is the date on which its calls begin, also of those after midnight. The rate is the share of answered
calls among those that have ended. Calls from before nights were kept are one line, "before". Talk time is that of all
calls, as stop.talkMinutes counts it: also where a machine answered, and the longest that a call can have been where
the service gave no duration. \`summary\` counts the answered calls alone.`,
  run: async ({ campaign, db, limit }, io) => {
    const most = wholeNumber('--limit', limit, { min: 1, max: MOST_NIGHTS });
    return nightsOutcome(await listNights({ campaign, db, limit: most }, io), io.owner.host);
  },
});

/** The output of `nights` on the machine `host`: a line a night and the sum of all. */
export function nightsOutcome(json: Nights, host: string): Outcome<Nights> {
  const { campaign, items: nights, totals, older } = json;
  return {
    json,
    ...(nights.length > 0 && { fitted: [HEADERS, [...nights.map(toRow), totalRow(totals)]] }),
    hints: [
      ...(older > 0 ? [`${counted(older, 'older night')} not shown; --limit shows more.`] : []),
      ...resultLines(nights, host),
    ],
    told:
      nights.length > 0
        ? []
        : [
            `${campaign} has called nobody yet; \`callsheet status ${shellWord(campaign)}\` says why.`,
          ],
  };
}

const HEADERS = ['NIGHT', 'CALLED', ...NIGHT_COLUMNS.map(({ head }) => head), 'ENDED', 'FILE'];

function toRow(night: NightView) {
  const { firstCallAt, lastCallAt, why, resultsFile, resultsAt } = night;
  const time = (iso: string) => localOf(iso).slice('yyyy-mm-dd '.length, 'yyyy-mm-dd hh:mm'.length);
  const isDated = night.night !== 'before';
  return [
    isDated ? nightText({ date: night.night }) : night.night,
    isDated ? `${time(firstCallAt)}-${time(lastCallAt)}` : null,
    ...figuresOf(night),
    why,
    resultsFile === null ? null : resultsAt === null ? 'old' : 'yes',
  ];
}

function totalRow(totals: Nights['totals']) {
  return [counted(totals.nights, 'night'), null, ...figuresOf(totals), null, null];
}

/** A column of zeros is left out where the terminal is narrow. */
function figuresOf(figures: NightFigures) {
  return NIGHT_COLUMNS.map(({ text }) => text(figures)).map((text) => (text === '0' ? 0 : text));
}

/** Where the results of these nights are: names that differ in the date alone are one line. */
function resultLines(nights: readonly NightView[], host: string): string[] {
  const files = new Map<string, number>();
  for (const { resultsFile, resultsMachine: machine, night } of nights) {
    if (resultsFile === null) continue;
    const where = machine === null || machine === host ? '' : ` on ${machine}`;
    const pattern = resultsFile.replaceAll(night, '{date}') + where;
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
