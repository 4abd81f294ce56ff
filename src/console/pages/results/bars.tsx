import { amount } from '../parts/amounts.ts';

/** One line of bars: `note` is told beside the number. */
export interface Bar {
  label: string;
  value: number;
  note?: string;
}

/** Numbers as bars, one under the other; each is told as text too. */
export function Bars({ bars }: { bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  return (
    <ul role="list" class="bars">
      {bars.map(({ label, value, note }) => (
        <li key={label}>
          <span class="break">{label}</span>
          <span class="track" aria-hidden="true">
            <span style={{ width: `${(100 * value) / most}%` }} />
          </span>
          <span class="number">{amount(value)}</span>
          <span class="number nowrap soft">{note ?? partText(value, total)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The hours of a day as bars beside each other; the darker part are calls that were answered. */
export function HourBars({
  hours,
}: {
  hours: readonly { hour: number; calls: number; answered: number }[];
}) {
  const most = Math.max(1, ...hours.map(({ calls }) => calls));
  const height = (calls: number) => ({ height: `${(100 * calls) / most}%` });
  return (
    <ol role="list" class="hours">
      {hours.map(({ hour, calls, answered }) => {
        const text = `${clock(hour)}: ${amount(calls)} calls, ${amount(answered)} answered`;
        return (
          <li key={hour} title={text}>
            <span class="visually-hidden">{text}</span>
            <span class="made" style={height(calls)} aria-hidden="true" />
            <span class="answered" style={height(answered)} aria-hidden="true" />
          </li>
        );
      })}
    </ol>
  );
}

function partText(value: number, total: number): string {
  return total === 0 ? '' : `${Math.round((100 * value) / total)}%`;
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
