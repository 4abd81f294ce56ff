import { expect, it } from 'vitest';

interface Timetable {
  at(real: number): number;
  realOf(at: number): number;
}
const { timetableOf } = (await import(new URL('timetable.mjs', import.meta.url).href)) as {
  timetableOf: (given: { realAt: number; pieces: { at: number; speed: number }[] }) => Timetable;
};

const PIECES = [
  { at: 1_000_000, speed: 10 },
  { at: 1_100_000, speed: 1_000 },
  { at: 2_100_000, speed: 1 },
];
const table = timetableOf({ realAt: 50, pieces: PIECES });

it.each([
  [40, 999_900],
  [50, 1_000_000],
  [10_050, 1_100_000],
  [10_550, 1_600_000],
  [11_050, 2_100_000],
  [12_050, 2_101_000],
])('at %i ms of real time the timetable shows %i, and the other way round', (real, at) => {
  expect(table.at(real)).toBeCloseTo(at, 6);
  expect(table.realOf(at)).toBeCloseTo(real, 6);
});
