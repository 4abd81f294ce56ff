import { describe, expect, it } from 'vitest';
import { aDesk, expectSaid, filesOf, GOOD, RUN } from './bad-input.ts';

describe('a list that cannot be taken makes no file and no campaign', () => {
  const lists: [string, string, RegExp, RegExp][] = [
    ['is empty', '', /leads\.csv is empty/, /export the list again/],
    ['has no rows', 'name,phone\n', /leads\.csv has column names but no rows/, /export the list/],
    [
      'has no phone column',
      'name,age\nAl,3\n',
      /leads\.csv has no phone column: its columns are "name", "age"; allowed names are phone,/,
      /./,
    ],
    [
      'has no row with a country',
      'phone\n212-555-0100\n212-555-0101\n',
      /none of 2 rows has a number that can be called\.\n {2}line 2: "212-555-0100" has no \+/,
      /--country US/,
    ],
    ['has no good row', 'phone\nn/a\n', /none of 1 row has a number/, /mend these rows/],
  ];
  it.each(lists)('because it %s', async (_, list, sentence, next) => {
    const { at, service } = await aDesk(list);
    const before = filesOf(at);
    expectSaid(await at.run(RUN), 2, sentence, next);
    expectSaid(await at.run([...RUN.slice(0, 2), '--service', 'simulated']), 2, sentence, next);
    expect(filesOf(at)).toEqual(before);
    expect(service.dialled).toEqual([]);
  });

  it.each([
    ['run', 'missing.csv'],
    ['check', 'missing.csv'],
    ['run', 'lists/missing'],
  ])('because there is none: %s %s', async (verb, path) => {
    const { at } = await aDesk();
    const ended = await at.run([verb, path, '--agent', 'ag_1']);
    expectSaid(ended, 2, new RegExp(`There is no list at ${at.path(path)}\\.`), /check the path/);
    expect(filesOf(at)).toEqual(['leads.csv']);
  });

  it('because a campaign of this name is not there', async () => {
    const { at } = await aDesk();
    const ended = await at.run(['run', 'sprnig', '--agent', 'ag_1']);
    const where = new RegExp(
      `No campaign "sprnig" is in ${at.path('data/callsheet.db')}; there is no`,
    );
    expectSaid(ended, 2, where, /callsheet run LIST --agent ID/);
    expect(filesOf(at)).toEqual(['leads.csv']);
  });
});

describe('an agent', () => {
  it('that is on no page is refused, with those there are', async () => {
    const { at } = await aDesk(GOOD, {
      agents: () => ({ body: { data: [{ id: 'ag_8' }, { id: 'ag_9' }] } }),
    });
    const ended = await at.run(RUN);
    expect(ended.err).toContain('has no agent "ag_1"; it has ag_8, ag_9.');
    expectSaid(ended, 2, /has no agent "ag_1"/, /callsheet agents list/);
    expect(filesOf(at)).toEqual(['leads.csv']);
    const imported = await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    expect(imported.code).toBe(2);
    expect(filesOf(at)).toEqual(['leads.csv']);
  });

  it('that is not among those that could be read is a warning, and the run goes on', async () => {
    const { at, service } = await aDesk(GOOD, {
      agents: () => ({ body: { data: [{ id: 'ag_8' }], has_more: true } }),
    });
    const { code, err } = await at.run(RUN);
    expect(err).toContain(
      'Agent "ag_1" was not found, but not all agents could be read: going on.',
    );
    expect(code).toBe(0);
    expect(service.dialled).toEqual(['+12125550100']);
  });

  it('is needed, and on the embedded service may be left out', async () => {
    const { at } = await aDesk();
    expectSaid(await at.run(['run', 'leads.csv']), 2, /No agent is given/, /--agent ID/);
    const checked = await at.run(['check', 'leads.csv', '--service', 'simulated']);
    expect(checked.err).toContain('agent Demo agent (ag_demo): 1 to call now');
    expect(checked.code).toBe(0);
    expect(filesOf(at)).toEqual(['leads.csv']);
  });
});

it('an error with --json is one line of JSON on stderr', async () => {
  const { at } = await aDesk('');
  const ended = await at.run([...RUN, '--json']);
  expect(ended.out).toBe('');
  expect(JSON.parse(ended.err)).toEqual({
    error: expect.objectContaining({ code: 'LIST_EMPTY', exitCode: 2 }) as unknown,
  });
});
