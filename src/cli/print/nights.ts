import { nightText } from '../../domain/nights/night.ts';
import { clockOf } from '../../text/times.ts';
import { counted, shellWord } from '../../text/wording.ts';
import { NIGHT_COLUMNS, type NightFigures } from '../../views/night-figures.ts';
import type { Nights, NightView } from '../../views/results.ts';
import type { Outcome } from './outcome.ts';

/** The output of `report --by night` on the machine `host`: a line a night and the sum of all. */
export function nightsOutcome(json: Nights, host: string): Outcome<Nights> {
  const { campaign, items: nights, totals, older } = json;
  return {
    json,
    ...(nights.length > 0 && {
      fitted: [
        HEADERS,
        [
          ...nights.map(toRow),
          [counted(totals.nights, 'night'), null, ...figuresOf(totals), null, null],
        ],
      ],
    }),
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
  const isDated = night.night !== 'before';
  return [
    isDated ? nightText({ date: night.night }) : night.night,
    isDated ? `${clockOf(firstCallAt)}-${clockOf(lastCallAt)}` : null,
    ...figuresOf(night),
    why,
    resultsFile === null ? null : resultsAt === null ? 'old' : 'yes',
  ];
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
