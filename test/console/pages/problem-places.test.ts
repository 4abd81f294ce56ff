import { expect, it } from 'vitest';
import type { Problem } from '../../../src/views/fields.ts';
import { problemPlaces } from '../../../src/console/pages/parts/forms/problem-places.ts';

const FIELDS = { number: ['PHONE_INVALID'], until: [], map: [] };
const problem = (given: Partial<Problem>): Problem => ({
  ...{ type: 'urn:callsheet:X', title: 'x', status: 422, detail: 'No.', code: 'X', hint: null },
  ...given,
});

it.each([
  ['that the API names', { field: 'number' }, 'number'],
  ['a part of which the API names', { field: 'map.0' }, 'map'],
  ['whose code it is', { code: 'PHONE_INVALID' }, 'number'],
  ['that its sentence begins with', { detail: 'until "2001-01-01" has passed.' }, 'until'],
  [
    'that the API names, also where it is another one that has the code',
    { field: 'until', code: 'PHONE_INVALID' },
    'until',
  ],
  ['whose flag its sentence begins with', { detail: '--map "x" is not FIELD=COLUMN.' }, 'map'],
] as const)('a refusal is shown at the field %s', (_, given, field) => {
  const { at, elsewhere } = problemPlaces(problem(given), FIELDS);
  for (const each of ['number', 'until', 'map'] as const)
    expect(at(each) !== undefined).toBe(each === field);
  expect(elsewhere).toBeUndefined();
});

it('a refusal that is about none of the fields is shown elsewhere', () => {
  const given = problem({ detail: 'The disk is full.', field: 'other' });
  expect(problemPlaces(given, FIELDS).elsewhere).toBe(given);
  expect(problemPlaces(undefined, FIELDS).elsewhere).toBeUndefined();
});
