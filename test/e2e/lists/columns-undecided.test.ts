import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { START } from '../../helpers/clock.ts';
import { aPhone } from '../../helpers/factory.ts';
import { aDeskBesideAService, SET } from '../../helpers/services/rung-since.ts';

/** A desk beside a service, and `run` of a list there. */
async function aDesk() {
  const { at, called } = await aDeskBesideAService();
  const run = (list: string, ...more: string[]) => at.run(['run', list, ...SET, ...more]);
  return { at, called, run };
}

const csv = (header: string, cells: readonly string[], from = 0) =>
  `Phone,${header}\n${cells.map((cell, n) => `${aPhone(from + n)},${cell}\n`).join('')}`;

describe('a column without a meaning', () => {
  it('in which a cell refuses calls is asked about once, with its values and the flags that decide', async () => {
    const { at, called, run } = await aDesk();
    at.write('leads.csv', csv('Notes', ['DNC', 'nice guy', 'do not call!!', 'nice guy']));

    const asked = await run('leads.csv', '--name', 'c');
    expect(asked).toMatchObject({ code: 2 });
    expect(asked.err).toContain('"Notes" (column 2) may say who must not be called');
    expect(asked.err).toContain('DNC (1), do not call!! (1).');
    for (const flag of ['refusals', 'doNotCall', 'ignore'])
      expect(asked.err).toContain(`--map ${flag}=Notes`);
    expect(called()).toEqual([]);

    expect(await run('leads.csv', '--name', 'c', '--map', 'refusals=Notes')).toMatchObject({
      code: 0,
    });
    expect(called()).toEqual([aPhone(1), aPhone(3)]);
    // The answer holds for a later list with the same columns, in another order, too.
    at.write('more.csv', `Notes,Phone\nDNC,${aPhone(10)}\nkind,${aPhone(11)}\n`);
    expect(await run('more.csv', '--name', 'c', '--add')).toMatchObject({ code: 0 });
    expect(called()).toEqual([aPhone(11)]);
  });

  it('is not asked about again where it was ignored', async () => {
    const { at, called, run } = await aDesk();
    at.write('leads.csv', csv('Notes', ['DNC', 'nice guy']));
    await run('leads.csv', '--name', 'c', '--map', 'ignore=Notes');
    expect(called()).toEqual([aPhone(0), aPhone(1)]);
    at.write('more.csv', csv('Notes', ['kind', 'DNC'], 10));
    await run('more.csv', '--name', 'c', '--add');
    expect(called()).toEqual([aPhone(10), aPhone(11)]);
  });

  it.each([
    ['Flags', 'DNC;VIP'],
    ['Name', 'DO NOT CALL'],
    ['Opt', 'Do not call'],
  ])('stops wherever the refusal is: %s = %s', async (header, cell) => {
    const { at, called, run } = await aDesk();
    at.write('leads.csv', csv(header, ['x', 'x', ...Array<string>(300).fill('y'), cell]));
    expect(await run('leads.csv', '--limit', '1')).toMatchObject({ code: 2 });
    expect(called()).toEqual([]);
  });

  it('asks about several columns at once', async () => {
    const { at, run } = await aDesk();
    at.write('leads.csv', csv('Notes,Flags', ['DNC,x', 'kind,do not call']));
    const { err } = await run('leads.csv');
    expect(err).toContain('--map ignore=Notes --map ignore=Flags');
    expect(err).toContain('--map refusals=Notes --map refusals=Flags');
  });
});

describe('a list at night', () => {
  const people = (from: number, to: number, cells: (n: number) => string) =>
    Array.from({ length: to - from }, (_, n) => `${aPhone(from + n)},${cells(from + n)}\n`).join(
      '',
    );

  it('is taken as the layout was approved on day one, for three nights of a growing list', async () => {
    const { at, called, run } = await aDesk();
    const table = (to: number) =>
      `Phone,Notes,Flag\n${people(0, to, (n) => (n % 3 === 0 ? 'DNC,x' : 'kind,no'))}`;
    const rings = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => from + n)
        .filter((n) => n % 3 !== 0)
        .map(aPhone);
    at.write('leads.csv', table(6));
    await run('leads.csv', '--name', 'c', '--map', 'refusals=Notes');
    expect(called()).toEqual(rings(0, 6));
    for (const [from, to] of [
      [6, 9],
      [9, 12],
      [12, 15],
    ] as const) {
      at.write('leads.csv', table(to));
      const { code, err } = await run('leads.csv', '--name', 'c', '--add');
      expect([code, err]).toEqual([0, expect.not.stringContaining('may say who')]);
      expect(called()).toEqual(rings(from, to));
    }
  });

  it('with a new column with refusals rings nobody who has one, and everybody else', async () => {
    const { at, called } = await aDesk();
    mkdirSync(at.path('in'));
    const put = (name: string, text: string) => {
      const path = at.write(`in/${name}`, text);
      at.write(`in/${name}.done`, '');
      utimesSync(path, START / 1_000, START / 1_000);
    };
    put('one.csv', `Phone,City\n${people(0, 3, () => 'Rome')}`);
    expect(await at.run(['run', './in', '--name', 'c', ...SET])).toMatchObject({ code: 0 });
    expect(called()).toEqual([0, 1, 2].map(aPhone));

    put(
      'two.csv',
      `Phone,City,Remark\n${people(3, 7, (n) => (n % 2 ? 'Oslo,do not call' : 'Oslo,VIP'))}`,
    );
    const second = await at.run(['run', 'c', '--yes']);
    expect(called()).toEqual([4, 6].map(aPhone));
    expect(second.err).toContain('2 rows of');
    expect(second.err).toContain('--map refusals=Remark');

    const rejects = at.path(`data/rejects/${readdirSync(at.path('data/rejects'))[0] ?? ''}`);
    await at.run(['import', 'c', rejects, '--map', 'refusals=Remark']);
    put(
      'three.csv',
      `Phone,City,Remark\n${people(7, 10, (n) => (n % 2 ? 'Oslo,do not call' : 'Oslo,VIP'))}`,
    );
    const third = await at.run(['run', 'c', '--yes']);
    expect(called()).toEqual([8].map(aPhone));
    expect(third.err).not.toContain('held back');
    expect((await at.run(['suppress', 'list'])).out).toContain(aPhone(3));
  });

  it('holds back the other rows of a number that one row may refuse', async () => {
    const { at, called } = await aDesk();
    mkdirSync(at.path('in'));
    const path = at.write(
      'in/a.csv',
      `Phone,Notes\n${aPhone(0)},kind\n${aPhone(0)},DNC\n${aPhone(1)},DNC\n${aPhone(1)},kind\n${aPhone(2)},kind\n`,
    );
    at.write('in/a.csv.done', '');
    utimesSync(path, START / 1_000, START / 1_000);
    await at.run(['run', './in', ...SET]);
    expect(called()).toEqual([aPhone(2)]);
  });
});
