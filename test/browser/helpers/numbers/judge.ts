import { FACTS, PEOPLE, SUMS, type Look } from './looks.ts';
import { OTHER_DIGITS, PLACES } from './places.ts';

const ROWS = Object.fromEntries(
  Object.entries(PLACES).map(([place, rows]) => [place, rows.map(rowOf)]),
);

function rowOf(row: string) {
  const names: string[] = [];
  const text = row.replace(/^\?/, '').replaceAll(/\{([a-zA-Z]\w*)\}/g, (_, name: string) => {
    names.push(name);
    return '(-?\\d[\\d,]*(?:\\.\\d+)?)';
  });
  return { row, isRare: row.startsWith('?'), names, pattern: new RegExp(text, 'g'), seen: 0 };
}

/** Bars and their numbers, one under the other. */
interface Bars {
  bars: number[];
  counts: number[];
  parts: number[];
}

export interface Reading {
  place: string;
  values: Map<string, number[]>;
  bars: Bars[];
  /** Lines with digits that no row of the place covers. */
  uncovered: string[];
}

export function read(place: string, lines: readonly string[]): Reading {
  const rows = ROWS[place] ?? [];
  const reading: Reading = { place, values: new Map(), bars: [], uncovered: [] };
  let bars: Bars | undefined;
  for (const line of lines) {
    let rest = OTHER_DIGITS.reduce((text, other) => text.replaceAll(other, ''), line)
      .replaceAll(/\s+/g, ' ')
      .trim();
    const found: [name: string, value: number][] = [];
    for (const one of rows) {
      if (!/\d/.test(rest)) break;
      rest = rest.replaceAll(one.pattern, (_, ...groups: (string | undefined)[]) => {
        one.seen += 1;
        one.names.forEach((name, i) => {
          const text = groups[i];
          if (text !== undefined) found.push([name, Number(text.replaceAll(',', ''))]);
        });
        return '';
      });
    }
    if (/\d/.test(rest)) reading.uncovered.push(`${place}: no row covers "${rest}" of "${line}"`);
    for (const [name, value] of found)
      reading.values.set(name, [...(reading.values.get(name) ?? []), value]);
    const width = found.find(([name]) => name === 'bar')?.[1];
    if (width === undefined) bars = undefined;
    else {
      if (bars === undefined) reading.bars.push((bars = { bars: [], counts: [], parts: [] }));
      bars.bars.push(width);
      bars.counts.push(found.find(([name]) => name !== 'bar' && name !== 'part')?.[1] ?? NaN);
      bars.parts.push(...found.filter(([name]) => name === 'part').map(([, part]) => part));
    }
  }
  return reading;
}

/** What of it cannot be true. @param all looks from the last one that must be seen on */
export function liesOf(
  { place, values, bars, uncovered }: Reading,
  all: readonly Look[],
): string[] {
  const [then, now] = [all[0], all.at(-1)];
  if (then === undefined || now === undefined) throw new Error('nobody has looked');
  const lies = [...uncovered];
  const hold = (what: string, value: number, [least = NaN, most = NaN]: readonly number[]) => {
    if (value >= least - 0.01 && value <= most + 0.01) return;
    lies.push(`${place}: ${what} is ${value}, not ${least} to ${most}`);
  };
  for (const [name, each] of values) {
    const fact = FACTS[name.replace(/\d$/, '')];
    const together = SUMS[name];
    const total = each.reduce((sum, one) => sum + one, 0);
    if (together !== undefined) hold(name, total, together({ then, now, all }));
    if (fact !== undefined) for (const value of each) hold(name, value, fact({ then, now, all }));
    if (fact === undefined && together === undefined && !DRAWN.test(name))
      lies.push(`${place}: nothing holds ${name}`);
  }
  // On the first page, people whose call is in doubt are counted beside those in a call.
  const inDoubt = place === 'the first page' ? (values.get('unknown')?.[0] ?? 0) : 0;
  const [waiting, calling, done] = ['waiting', 'calling', 'done'].map((of) => values.get(of)?.[0]);
  if (
    waiting !== undefined &&
    calling !== undefined &&
    done !== undefined &&
    place !== 'the people'
  )
    hold('everybody', waiting + calling + inDoubt + done, [PEOPLE, PEOPLE]);
  for (const { bars: drawn, counts, parts } of bars) {
    const most = Math.max(1, ...counts);
    const sum = counts.reduce((all, one) => all + one, 0);
    drawn.forEach((length, i) => {
      hold('a bar', length, around((100 * (counts[i] ?? NaN)) / most, 0.01));
    });
    if (sum > 0)
      parts.forEach((part, i) => {
        hold('a share', part, around((100 * (counts[i] ?? NaN)) / sum, 0.51));
      });
  }
  return lies;
}

const around = (value: number, by: number) => [value - by, value + by];
const DRAWN = /^(?:bar|part|hourBar|answeredBar|dayBar)$/;

/** Rows that no line had. */
export const unseen = (): string[] =>
  Object.entries(ROWS).flatMap(([place, rows]) =>
    rows.filter(({ isRare, seen }) => !isRare && seen === 0).map(({ row }) => `${place}: ${row}`),
  );
