import type { ScheduleDay } from '../../contract/schedule.ts';
import { amount } from '../parts/amounts.ts';
import { timeText } from '../parts/times.tsx';

/** Schedules that begin more often a day are told by their number. */
const MOST_TIMES = 4;

/** A day in words: `09:00–20:58, up to 1,200; begins at 18:00`. */
export function dayWords({ to, spans, firings }: ScheduleDay, zone: string): string {
  const time = (at: number) => (at === to ? '24:00' : timeText(at, zone, 'time').slice(0, 5));
  const open = stretches(spans).map(
    ({ from, to: end, people }) => `${time(from)}–${time(end)}, up to ${amount(people)}`,
  );
  const begins =
    firings.length > MOST_TIMES
      ? `begins ${amount(firings.length)} times`
      : `begins at ${firings.map(time).join(', ')}`;
  return [
    ...(open.length === 0 ? ['nobody'] : open),
    ...(firings.length === 0 ? [] : [begins]),
  ].join('; ');
}

/** Spans that follow each other without a gap as one, with the most people of any of them. */
function stretches(spans: ScheduleDay['spans']): ScheduleDay['spans'] {
  const found: ScheduleDay['spans'] = [];
  for (const span of spans) {
    const last = found.at(-1);
    if (last?.to !== span.from) found.push({ ...span });
    else {
      last.to = span.to;
      last.people = Math.max(last.people, span.people);
    }
  }
  return found;
}
