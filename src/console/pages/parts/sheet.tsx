import { Fragment, type ComponentChildren } from 'preact';

import { Said } from './notice.tsx';
import { amount } from './values.tsx';

type Row = readonly [label: ComponentChildren, value: ComponentChildren];

/** Names and values beside each other; without those whose value is null, and a dash where it is empty. */
export function Facts({ kind = '', rows }: { kind?: string; rows: readonly Row[] }) {
  return (
    <dl class={`facts ${kind}`}>
      {rows.map(
        ([label, value], i) =>
          value !== null && (
            <Fragment key={i}>
              <dt class="break">{label}</dt>
              <dd>{value === '' ? <span class="soft">–</span> : value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

/** Large numbers, each below its name and above what is told about it. */
export function Figures({
  kind = '',
  rows,
}: {
  kind?: string;
  rows: readonly (readonly [...Row, note?: ComponentChildren])[];
}) {
  return (
    <dl class={`figures ${kind}`}>
      {rows.map(([label, value, note = false], i) => (
        <div key={i}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          {note !== false && <dd class="note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Numbers as bars, one under the other; each is told as text too, with a note beside it. */
export function BarList({
  bars,
}: {
  bars: readonly { key: string; label: ComponentChildren; value: number; note: string }[];
}) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ul role="list" class="bars">
      {bars.map(({ key, label, value, note }) => (
        <li key={key}>
          <span class="break">{label}</span>
          <span class="track" aria-hidden="true">
            <span style={{ width: `${(100 * value) / most}%` }} />
          </span>
          <span class="number">{amount(value)}</span>
          <span class="number nowrap soft">{note}</span>
        </li>
      ))}
    </ul>
  );
}

/** Sentences of callsheet below each other. */
export function Sentences({ lines, kind = '' }: { lines: readonly string[]; kind?: string }) {
  return (
    <ul class={`stack tight ${kind}`} role="list">
      {lines.map((line) => (
        <li key={line} class="break">
          <Said text={line} />
        </li>
      ))}
    </ul>
  );
}
