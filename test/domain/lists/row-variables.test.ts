import { describe, expect, it } from 'vitest';
import { blankReason, variableColumns, variableIn } from '../../../src/domain/lists/person.ts';

describe('the variables of a row', () => {
  it('have the trimmed names of their columns; a column without a name is none', () => {
    const columns = variableColumns([' plan ', '', 'name', 'plan']);
    expect([...columns]).toEqual([
      ['plan', [0, 3]],
      ['name', [2]],
    ]);
  });

  it('are the first cell of that name that is not blank, as it is written', () => {
    expect(variableIn(['', 'x', ' \u00a0', ' Gold '], [0, 2, 3])).toBe(' Gold ');
    expect(variableIn(['', ' '], [0, 1, 7])).toBe('');
    expect(variableIn(['x'])).toBe('');
  });
});

describe('why a person is held', () => {
  const row = { plan: 'Gold', name: ' \t', town: '' };

  it.each([
    [[], null],
    [['plan'], null],
    [['plan', 'name'], '"name" is blank in the list'],
    [['name', 'town', 'age'], '"name", "town", "age" are blank in the list'],
  ])('by the columns %j', (needed, why) => {
    expect(blankReason(needed, row)).toBe(why);
  });

  it('is the prompt itself until it has been read', () => {
    expect(blankReason(null, row)).toContain(
      'has not been read since agent or `variables: require` was set',
    );
  });
});
