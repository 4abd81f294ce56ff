import { describe, expect, it } from 'vitest';
import { rowsOf, type Desk } from '../../../helpers/callsheet.ts';
import { aPhone } from '../../../helpers/factory.ts';
import { change } from '../../../store/sqlite/database.ts';
import { aDesk, json, listed } from '../desk.ts';

const PEOPLE = Array.from({ length: 10 }, (_, i) => `Person ${i},${aPhone(i)}`);
const RUN = ['run', 'spring', '--set', 'polling.floor=20ms'];

const listOf = (people: readonly string[]) => `name,phone\n${people.join('\n')}\n`;

/** Ten people wait in a campaign. */
async function tenWait() {
  const { at, service } = await aDesk();
  at.write('leads.csv', listOf(PEOPLE));
  await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
  return { at, service };
}

/** Eight of the ten are on two lists that are complete together; the import is killed at the end of `last`. */
async function killedAt(last: 'north.csv' | 'south.csv') {
  const { at, service } = await tenWait();
  at.write('north.csv', listOf(PEOPLE.slice(2, 5)));
  at.write('south.csv', listOf(PEOPLE.slice(5)));
  at.write('spring.yaml', 'leads: [north.csv, south.csv]\n');
  await kill(at, last, TOGETHER);
  return { at, service };
}

/** Runs a command whose import is killed at the end of the list `last`. */
async function kill(at: Desk, last: string, argv: readonly string[]) {
  const db = at.path('data/callsheet.db');
  change(
    db,
    `CREATE TRIGGER killed BEFORE UPDATE OF finished_at ON lists WHEN NEW.path LIKE '%${last}'
     AND NEW.finished_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'killed'); END`,
  );
  expect((await at.run(argv)).code).not.toBe(0);
  change(
    db,
    `DROP TRIGGER killed; UPDATE lists SET importer = json_patch(importer, '{"host":"host-9","boot":"boot-9","seenAt":0}')
     WHERE importer IS NOT NULL`,
  );
}

const TOGETHER = ['import', 'spring', 'spring.yaml', '--sync'];

const sync = (at: Desk, people: readonly string[], more: string[] = [], typed?: string) => {
  at.write('tonight.csv', listOf(people));
  const given = typed === undefined ? {} : { typed };
  return at.run(['import', 'spring', 'tonight.csv', '--sync', ...more], given);
};

const leftIn = (err: string) => err.split('\n').filter((line) => line.includes('not on th'));

describe('import --sync', () => {
  it('of several lists takes out who is on none of them, and nobody else for a moment', async () => {
    const { at } = await tenWait();
    at.write('north.csv', listOf(PEOPLE.slice(1, 5)));
    at.write('south.csv', listOf(PEOPLE.slice(5)));
    at.write('spring.yaml', 'leads: [north.csv, south.csv]\n');
    const { code, err } = await at.run(['import', 'spring', 'spring.yaml', '--sync']);
    expect([code, err]).toEqual([0, expect.not.stringContaining('had left the list')]);
    const { history } = (await json(at, ['status', 'spring'])) as {
      history: { what: string; detail: object }[];
    };
    const left = history.flatMap(({ what, detail }) => (what === 'leads.synced' ? [detail] : []));
    expect(left).toMatchObject([{ cancelled: 1 }, { cancelled: 0 }]);
    expect(await listed(at)).toMatchObject([{ waiting: 9 }]);
    expect(leftIn(err)).toEqual(['1 waiting lead not on these lists is cancelled.']);
    at.write('south.csv', listOf(PEOPLE.slice(6)));
    const again = await at.run(['import', 'spring', 'spring.yaml', '--sync']);
    expect(leftIn(again.err)).toEqual(['1 waiting lead not on these lists is cancelled.']);
  });

  it('counts who is back and who has left, also where all of its lists are in', async () => {
    const { at } = await tenWait();
    await sync(at, PEOPLE.slice(2));
    const again = ['import', 'spring', 'leads.csv', '--sync', '--json'];
    const { out, err } = await at.run(again);
    expect(JSON.parse(out)).toMatchObject({ left: 0, back: 2, waiting: 10 });
    expect(err).toContain('2 people who had left the list are back and wait again.');
  });

  it.each(['north.csv', 'south.csv'] as const)(
    'of several lists that is killed at %s goes on with all of them alone, and takes out nobody who is on one',
    async (last) => {
      const { at, service } = await killedAt(last);
      const other = last === 'north.csv' ? 'south.csv' : 'north.csv';
      const said = `With ${at.path(other)} it is complete: \`npx callsheet import spring <campaign.yaml> --sync\` with a file that names all of them goes on`;
      for (const argv of [RUN, ['resume', 'spring'], ['import', 'spring', last]]) {
        const { code, err } = await at.run(argv);
        expect([code, err]).toEqual([5, expect.stringContaining(said)]);
      }
      expect(await listed(at)).toMatchObject([{ waiting: 8 }]);
      expect((await at.run(TOGETHER)).code).toBe(0);
      expect((await at.run(RUN)).code).toBe(0);
      expect(service.dialled.toSorted()).toEqual(PEOPLE.slice(2).map((_, i) => aPhone(i + 2)));
    },
  );

  it('goes on with the list that was broken off as one of those that are given now', async () => {
    const { at } = await killedAt('south.csv');
    at.write('east.csv', listOf(PEOPLE.slice(2, 3)));
    expect((await at.run(['import', 'spring', 'east.csv', '--sync', '--yes'])).code).toBe(0);
    expect(await listed(at)).toMatchObject([{ waiting: 6 }]);
  });

  it('counts a list that was broken off alone as one of those that are given with it', async () => {
    const { at, service } = await killedAt('north.csv');
    expect((await at.run(TOGETHER)).code).toBe(0);
    at.write('north.csv', listOf([...PEOPLE.slice(2, 5), `Gil,${aPhone(20)}`]));
    await kill(at, 'north.csv', ['import', 'spring', 'north.csv', '--sync', '--yes']);
    await kill(at, 'south.csv', [...TOGETHER, '--yes']);
    expect((await at.run(RUN)).code).toBe(5);
    expect(service.dialled).toEqual([]);
    expect((await at.run(TOGETHER)).code).toBe(0);
    expect((await at.run(RUN)).code).toBe(0);
    expect(service.dialled).toHaveLength(9);
  });

  it('of a list takes nobody out when its rows are read again for another reason', async () => {
    const { at } = await tenWait();
    await sync(at, PEOPLE.slice(2));
    at.write('more.csv', listOf([`Gil,${aPhone(20)}`]));
    await at.run(['import', 'spring', 'more.csv']);
    await at.run(['import', 'spring', 'tonight.csv', '--country', 'GB']);
    expect(await listed(at)).toMatchObject([{ waiting: 9 }]);
  });

  it('that would take out more than a fifth of those who wait needs --yes off a terminal', async () => {
    const { at } = await tenWait();
    const before = await json(at, ['status', 'spring']);
    const { code, err } = await sync(at, PEOPLE.slice(3));
    expect(code).toBe(2);
    expect(err).toContain(
      `3 of 10 waiting people are not on this list and would not be called: Person 0 (${aPhone(0)}), Person 1 (${aPhone(1)}), Person 2 (${aPhone(2)}).`,
    );
    expect(err).toContain(
      'next: check whether the list was cut short; if it is complete, give --yes',
    );
    expect(await json(at, ['status', 'spring'])).toEqual(before);
    expect((await sync(at, PEOPLE.slice(3), ['--yes'])).err).toContain('3 waiting leads not on');
    expect(await listed(at)).toMatchObject([{ waiting: 7 }]);
  });

  it.each([
    ['yes\n', 0, 5],
    ['no\n', 2, 10],
  ])('asks on a terminal; %j is an answer', async (typed, code, waiting) => {
    const { at } = await tenWait();
    const done = await sync(at, PEOPLE.slice(5), [], typed);
    expect(done.code).toBe(code);
    expect(done.err.replaceAll(/\s+/g, ' ')).toContain(
      'and 2 more. Is the list complete? Type yes',
    );
    expect(await listed(at)).toMatchObject([{ waiting }]);
  });

  it('asks nobody where a few have left', async () => {
    const { at } = await tenWait();
    expect(await sync(at, PEOPLE.slice(2))).toMatchObject({ code: 0 });
    expect(await listed(at)).toMatchObject([{ waiting: 8 }]);
  });
});

it('an import that leaves nobody to call says so, and names no command that would', async () => {
  const { at } = await tenWait();
  expect((await at.run(RUN)).code).toBe(0);
  const { err } = await at.run(['import', 'spring', 'leads.csv']);
  expect(err).toContain('Campaign "spring" (completed): nobody waits to be called.\n');
});

describe('who left a list', () => {
  it('waits again when a later list has them, and is called once', async () => {
    const { at, service } = await tenWait();
    await sync(at, PEOPLE.slice(1));
    at.write('later.csv', listOf([PEOPLE[0] ?? '']));
    const { err } = await at.run([
      'run',
      'later.csv',
      '--name',
      'spring',
      '--add',
      ...RUN.slice(2),
    ]);
    expect(err).toContain('10 to call now');
    expect(err).toContain('1 person who had left the list is back and waits again.');
    expect(service.dialled.toSorted()).toEqual(PEOPLE.map((_, i) => aPhone(i)));
    await sync(at, PEOPLE.slice(0, 1), ['--yes']);
    expect((await at.run(RUN)).code).toBe(0);
    expect(service.dialled).toHaveLength(10);
  });

  it('waits again by --sync with the very list of before, too, and not when that one is run by habit', async () => {
    const { at, service } = await tenWait();
    await sync(at, PEOPLE.slice(1));
    await at.run(['run', 'leads.csv', '--name', 'spring', ...RUN.slice(2)]);
    expect(service.dialled).not.toContain(aPhone(0));
    await at.run(['import', 'spring', 'leads.csv', '--sync']);
    expect((await at.run(RUN)).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PEOPLE.map((_, i) => aPhone(i)));
  });

  it('stays out where they are suppressed meanwhile, or were called', async () => {
    const { at, service } = await tenWait();
    await at.run([...RUN, '--limit', '1']);
    await sync(at, PEOPLE.slice(2));
    await at.run(['suppress', 'add', aPhone(1)]);
    const back = await at.run(['import', 'spring', 'leads.csv', '--sync']);
    expect(back.err).not.toContain('back');
    await at.run(RUN);
    expect(service.dialled.toSorted()).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 9].map(aPhone));
    const rows = rowsOf(at.read('data/results/spring.csv'));
    expect(rows[1]).toMatchObject({ call_result: 'cancelled', call_reason: 'left_list' });
  });
});
