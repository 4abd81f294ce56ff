import { WEEKDAYS, type DayWindows, type WeekHours } from './policy.ts';

/** A week in one line: `Mon-Fri 09:00-20:00, Sat 10:00-17:00, Sun closed, holidays closed`. */
export function weekText({ week, holidays }: WeekHours): string {
  const groups: { first: string; last: string; windows: string }[] = [];
  for (const day of WEEKDAYS) {
    const windows = windowsText(week[day]);
    const last = groups.at(-1);
    if (last?.windows === windows) last.last = day;
    else groups.push({ first: day, last: day, windows });
  }
  const days = groups.map(({ first, last, windows }) =>
    first === last ? `${title(first)} ${windows}` : `${title(first)}-${title(last)} ${windows}`,
  );
  return [...days, ...(holidays === null ? [] : [`holidays ${windowsText(holidays)}`])].join(', ');
}

/** `10:00-13:00 14:00-20:00`, or `closed`. */
export function windowsText(windows: DayWindows): string {
  if (windows.length === 0) return 'closed';
  return windows.map(([from, to]) => `${clockText(from)}-${clockText(to)}`).join(' ');
}

/** Minutes after midnight as `09:00`; 1440 is `24:00`. */
export function clockText(minutes: number): string {
  const two = (number: number) => `${number}`.padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The first letter as a capital: `mon` as `Mon`. */
export function title(day: string): string {
  return `${day.slice(0, 1).toUpperCase()}${day.slice(1)}`;
}
