import { expect, it } from 'vitest';
import { rowPersons } from '../../src/leads/rows/row-person.ts';
import { typedDate } from '../../src/text/wall-clock.ts';

// Quadratic readers need minutes for these, so that the test times out.
const LONG = 400_000;

it('a date is looked for in a long cell of combining marks', () => {
  expect(typedDate(`a${'\u0301'.repeat(LONG)} 2027`)?.days).toEqual(['2027-01-01', '2027-12-31']);
});

it('an address is not looked for in a cell that is longer than any', () => {
  const personOf = rowPersons({ fields: { email: 0 } });

  expect(personOf(['a@'.repeat(LONG)])).toBeUndefined();
  expect(personOf(['Ann <ann@firm.example>'])?.key).toBe('mail ann@firm.example');
});
