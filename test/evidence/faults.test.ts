import { expect, it } from 'vitest';
import { runApart } from './apart.ts';

/** `npm run evidence` plays five thousand, and `.ci/run` a share of the others. */
const NIGHTS = 20;

it('through twenty nights full of faults nobody is called twice and nothing is lost', async () => {
  const tallies = await runApart('--to', String(NIGHTS));
  expect(tallies.flatMap(({ failures }) => failures)).toEqual([]);
  expect(tallies.map(({ runs }) => runs)).toEqual([NIGHTS]);
}, 300_000);
