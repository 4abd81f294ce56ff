import { expect, test } from 'vitest';
import { personIn } from '../../../src/domain/lists/person.ts';

const FIELDS = { firstName: 0, lastName: 1, name: 2, company: 3 };

test.each([
  [['Ana', 'Silva', 'Dr. Ana Silva', ''], 'Dr. Ana Silva'],
  [['Ana', 'Silva', ' ', ''], 'Ana Silva'],
  [['Ana', '', '', ''], 'Ana'],
  [['', ' Silva ', '', ''], 'Silva'],
  [['', '', '', ''], ''],
  [[], ''],
])('the full name of %j is "%s"', (cells, expected) => {
  expect(personIn({ fields: FIELDS }, cells).fullName).toBe(expected);
});

test('a field without a column is missing, one of a blank cell is blank, and a full name is not cut', () => {
  expect(personIn({ fields: { name: 0, postalCode: 1 } }, ['Ana Silva', ' '])).toEqual({
    fullName: 'Ana Silva',
    postalCode: '',
  });
  expect(personIn({ fields: {} }, ['Ana'])).toEqual({});
});
