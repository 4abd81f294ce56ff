import { HOUR_MS, MINUTE_MS } from '../domain/time-units.ts';
import { costSumText, durationText, grouped, percent } from '../text/amounts.ts';
import type { Nights } from './results.ts';

/* How a night's figures look for people. Browsers load it too, so it imports no schema. */

export type NightFigures = Omit<Nights['totals'], 'nights'>;

interface NightColumn {
  /** Its name on pages and in the report. */
  label: string;
  /** Its name in the terminal. */
  head: string;
  /** `-`: there is none. */
  text: (of: NightFigures) => string;
}

/** The figures of a night, in the order of their columns in the terminal, on pages and in the report. */
export const NIGHT_COLUMNS: readonly NightColumn[] = [
  { label: 'Calls made', head: 'MADE', text: ({ made }) => grouped(made) },
  { label: 'Refused', head: 'REFUSED', text: ({ refused }) => grouped(refused) },
  { label: 'In doubt', head: 'DOUBT', text: ({ inDoubt }) => grouped(inDoubt) },
  { label: 'Not made', head: 'NOT MADE', text: ({ notMade }) => grouped(notMade) },
  {
    label: 'Answered',
    head: 'ANSWERED',
    text: ({ answered, ended }) =>
      ended === 0 ? '0' : `${grouped(answered)} (${percent(answered, ended)})`,
  },
  { label: 'Talk time of all calls', head: 'TALK', text: ({ talkMs }) => talkText(talkMs) },
  {
    label: 'Cost',
    head: 'COST',
    text: ({ costs }) =>
      costs.map(({ currency, amount }) => costSumText(amount, currency)).join(', ') || '-',
  },
];

/** `3 min 5 s`; from ten minutes on `34 min`, from ten hours on `12.3 h`. */
function talkText(ms: number): string {
  if (ms < 10 * MINUTE_MS) return durationText(ms);
  return ms < 10 * HOUR_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${(ms / HOUR_MS).toFixed(1)} h`;
}

/** The columns in which one of these nights has a figure; a night without any cost has no column of it. */
export function columnsOf(nights: readonly NightFigures[]): readonly NightColumn[] {
  return NIGHT_COLUMNS.filter(({ text }) => nights.some((night) => text(night) !== '-'));
}
