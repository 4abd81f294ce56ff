import { describe, expect, test } from 'vitest';
import { mapTable } from '../../../src/leads/columns/layout.ts';
import { mapColumns } from '../../../src/leads/columns/map-columns.ts';
import { aPhone } from '../../helpers/factory.ts';
import {
  CALL_LABELS,
  MOBILES,
  NOT_THEIRS,
  ORDINARY,
  OTHER_WAYS,
  PHONES,
  STATES,
} from './call-labels.ts';
import { judged } from './judged.ts';

test('the table has 60 labels in 20 languages at least', () => {
  expect(CALL_LABELS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(CALL_LABELS.map(({ language }) => language)).size).toBeGreaterThanOrEqual(20);
  expect(NOT_THEIRS.length).toBeGreaterThanOrEqual(40);
  expect(ORDINARY.length).toBeGreaterThanOrEqual(40);
});

describe('a column that says who may not be called is read in its language', () => {
  test.each(CALL_LABELS)('$language: $header = $no', async ({ header, no, yes }) => {
    const rows = [
      [aPhone(0), no],
      [aPhone(1), yes],
      [aPhone(2), yes],
    ];
    expect(await judged(['phone', header], rows)).toMatchObject({ good: 2, suppressed: 1 });
  });

  test.each(STATES)('as a state: %s = %s', async (header, no, yes) => {
    const rows = [
      [aPhone(0), no],
      [aPhone(1), yes],
    ];
    expect(await judged(['phone', header], rows)).toMatchObject({ good: 1, suppressed: 1 });
  });
});

test('a restriction of calls keeps its person from this campaign, and from no other', async () => {
  const rows = ['No calls', 'None', 'None'].map((cell, n) => [aPhone(n), cell]);
  const found = await judged(['phone', 'Call Restriction'], rows);
  expect(found).toMatchObject({ good: 2, suppressed: 0 });
});

describe('nobody is stopped', () => {
  test.each(ORDINARY)('by an ordinary column: %s = %s', async (header, cell) => {
    const rows = [0, 1].map((n) => [aPhone(n), cell]);
    expect(await judged(['phone', header], rows)).toMatchObject({ good: 2 });
  });

  test.each(OTHER_WAYS)('by an opt-out of something else: %s = %s', async (header, cell) => {
    const rows = [0, 1].map((n) => [aPhone(n), cell]);
    expect(await judged(['phone', header], rows)).toMatchObject({ good: 2 });
  });
});

describe('a number that is not the person’s is not called', () => {
  test.each(NOT_THEIRS)('%s', async (header) => {
    const rows = [
      [aPhone(0), aPhone(1)],
      ['', aPhone(2)],
    ];
    const found = await judged(['phone', header], rows);
    expect(found.mapping.phones).toEqual([0]);
    expect(found.good + found.suppressed).toBeLessThanOrEqual(1);
  });
});

describe('a person’s numbers are found', () => {
  test.each(MOBILES)('the mobile first: %s', (header) => {
    expect(mapColumns('list.csv', ['Phone', header]).phones).toEqual([1, 0]);
  });

  test.each(PHONES)('any telephone: %s', (header) => {
    expect(mapColumns('list.csv', ['x', header]).phones).toEqual([1]);
  });
});

describe('what can be read in two ways', () => {
  const phones = (cells: string[]) => cells.map((cell, n) => [aPhone(n), cell]);

  test.each([
    ['Phone approved', ['yes', 'no']],
    ['Phone', ['yes', 'no']],
    ['Telephone', ['ja', 'nein']],
    ['Consent', ['yes', 'no']],
    ['Marketing consent', ['Yes', 'No']],
    ['Do not contact by phone or e-mail', ['yes', '']],
    ['Mobile opt-in', ['1', '0']],
    ['No calls', ['1', '0']],
    ['Calls refused', ['true', 'false']],
    ['Phone refused', ['true', 'false']],
    ['Call preference', ['yes', 'no']],
    ['Wrong phone?', ['yes', 'no']],
    ['Consent to call', ['verbal', 'written']],
    ['Not yet agreed to calls', ['yes', 'no']],
    ['Consent to calls missing, no form', ['yes', 'no']],
  ])('stops the import until it is said what it means: %s', async (header, cells) => {
    const list = judged(['mobile', header], phones(cells));
    await expect(list).rejects.toMatchObject({
      code: 'LIST_COLUMN_UNCLEAR',
      exitCode: 2,
      message: expect.stringContaining(
        `"${header}" (column 2) may say who must not be called`,
      ) as string,
      hint: expect.stringMatching(/--map doNotCall=.* --map mayCall=.* --map ignore=/) as string,
    });
  });

  test('is asked about wherever in the list it is said', async () => {
    const blank = Array.from({ length: 250 }, () => '');
    const list = judged(['mobile', 'Phone approved'], phones([...blank, 'no', 'yes']));
    await expect(list).rejects.toMatchObject({
      code: 'LIST_COLUMN_UNCLEAR',
      message: expect.stringContaining(': no (1), yes (1).') as string,
    });
    expect(await judged(['mobile', 'Phone approved'], phones(blank))).toMatchObject({ good: 250 });
  });

  test('an empty consent is none where those who may be called are marked, and is told', async () => {
    const found = await judged(['mobile', 'Consent to call'], phones(['yes', '', 'maybe']));
    expect(found).toMatchObject({ good: 1, rejected: 2, suppressed: 0 });
    expect(found.examples[0]?.text).toContain(
      'is not called, as "Consent to call" does not say that it may be (empty)',
    );
  });

  test('an empty consent is no refusal where only refusals are marked', async () => {
    const found = await judged(['mobile', 'Consent to call'], phones(['no', '', '']));
    expect(found).toMatchObject({ good: 2, suppressed: 1 });
  });

  test('what a do-not-call column says in words nobody knows is a no', async () => {
    const found = await judged(
      ['mobile', 'Do not call'],
      phones(['since Easter', '❌', 'x', 'no']),
    );
    expect(found).toMatchObject({ good: 1, suppressed: 3 });
  });

  test('the number of calls and how many contacts there were is no consent', async () => {
    const rows = phones(['3', '12', '0']);
    expect(await judged(['mobile', 'No calls'], rows)).toMatchObject({ good: 3 });
    expect(
      await judged(['mobile', 'OK to call after'], phones(['18:00', '9 am', ''])),
    ).toMatchObject({ good: 3 });
  });
});

describe('the word of the operator', () => {
  const headers = ['mobile', 'DNC', 'Phone approved'];
  const rows = [['+12125550100', '', 'yes']];
  const map = (target: 'doNotCall' | 'mayCall' | 'ignore', column: string) =>
    mapTable({ path: 'list.csv', headers, rows }, true, { choices: [{ target, column }] });

  test('decides about a column, and what is found beside it stays', () => {
    expect(map('doNotCall', 'Phone approved')).toMatchObject({ doNotCall: [1, 2], mayCall: [] });
    expect(map('mayCall', 'Phone approved')).toMatchObject({
      doNotCall: [1],
      mayCall: [{ column: 2, emptyIsNo: true }],
    });
    expect(map('ignore', 'Phone approved')).toMatchObject({
      doNotCall: [1],
      mayCall: [],
      ignored: [2],
    });
  });

  test('does not turn a column round', () => {
    expect(() => map('mayCall', 'DNC')).toThrow(
      expect.objectContaining({
        code: 'LIST_COLUMN_UNCLEAR',
        hint: 'give --map doNotCall=DNC, or rename the column',
      }) as Error,
    );
  });
});

test('the label beside a number keeps it from being called, and the next one is', async () => {
  const headers = ['Phone 1 - Label', 'Phone 1 - Value', 'Phone 2 - Type', 'Phone 2 - Value'];
  const found = await judged(headers, [
    ['Home Fax', aPhone(0), 'Mobile', aPhone(1)],
    ['Mobile', aPhone(2), 'Work', aPhone(3)],
    ['Work Fax', aPhone(4), 'Assistant', aPhone(5)],
    ['* Other', aPhone(6), '', ''],
    ['old', aPhone(7), 'Pager', ''],
  ]);
  expect(found).toMatchObject({ good: 3, rejected: 2, byReason: { not_their_number: 2 } });
  expect(found.examples[0]?.text).toContain(
    'has the label "Work Fax", and such numbers are not called',
  );
});
