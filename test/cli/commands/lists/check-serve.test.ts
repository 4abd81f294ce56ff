import { mkdirSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/runtime/clock.ts';
import type { PlanView } from '../../../../src/views/plan.ts';
import type { Desk } from '../../../helpers/callsheet.ts';
import { START } from '../../../helpers/clock.ts';
import { aPhone } from '../../../helpers/factory.ts';
import { contentsOf } from '../../../helpers/files/folder-contents.ts';
import { aDesk } from '../desk.ts';

/** Monday 15:00 UTC. */
const clock = { ...systemClock, now: () => START };

function put(at: Desk, name: string, people: readonly number[]) {
  const path = at.write(`in/${name}`, `phone\n${people.map(aPhone).join('\n')}\n`);
  at.write(`in/${name}.done`, '');
  utimesSync(path, START / 1_000 - 3_600, START / 1_000 - 3_600);
}

/** A campaign file whose lists come from a folder, which has one of two people. */
async function aFolder(more = '') {
  const { at } = await aDesk();
  mkdirSync(at.path('in'));
  put(at, 'a.csv', [0, 1]);
  at.write(
    'night.yaml',
    `leads: in\nagent: ag_1\ntimezone: UTC\nschedule: '0 18 * * *'\nrules: [always]\n${more}`,
  );
  const run = (...argv: string[]) => at.run(argv, { clock });
  /** What check says; it must change nothing. */
  const check = async (...argv: string[]) => {
    const before = contentsOf(at.cwd);
    const { code, err } = await run('check', ...argv);
    const { out } = await run('check', ...argv, '--json');
    expect(contentsOf(at.cwd)).toEqual(before);
    expect([code, err]).toEqual([0, expect.any(String)]);
    return { err, plan: JSON.parse(out) as PlanView };
  };
  /** Takes what is in the folder, as serve does at each opening. */
  const take = async () => {
    const { out } = await run('import', 'night', 'night.yaml', '--new-db', '--json');
    return (JSON.parse(out) as { waiting: number }).waiting;
  };
  return { at, run, check, take };
}

describe('check says what serve will do', () => {
  it('with the lists that it will find in a folder, before and after the first import', async () => {
    const { at, check, take } = await aFolder();
    const first = await check('night.yaml');
    expect(first.plan).toMatchObject({ callNow: 0, callLater: 2 });
    expect(await take()).toBe(2);
    put(at, 'b.csv', [1, 2, 3]);
    put(at, 'c.csv', [3, 4]);
    for (const target of ['night', 'night.yaml']) {
      const { plan, err } = await check(target);
      expect(plan).toMatchObject({ callLater: 5, forecast: { people: 5 } });
      expect(err).toContain('c.csv would be taken: 2 rows, 1 good');
    }
    expect(await take()).toBe(5);
    expect((await check('night')).plan).toMatchObject({ callLater: 5 });
  });

  it('with complete lists: who leaves, and which would need a yes', async () => {
    const { at, check, take } = await aFolder('leadsMode: sync\n');
    const most = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    put(at, 'a.csv', [0, ...most]);
    expect(await take()).toBe(10);
    put(at, 'b.csv', [...most, 10, 11]);
    put(at, 'c.csv', [1, 12]);
    const { plan, err } = await check('night');
    expect(plan).toMatchObject({ callLater: 11, forecast: { people: 11 } });
    expect(err).toContain('1 person who waits is not on it: they leave.');
    expect(err).toMatch(/c\.csv would be refused: .*would take 9 of 10 waiting people out/);
    expect(await take()).toBe(11);
  });

  it('from the first import to the start, a pause and the end', async () => {
    const { run, check, take } = await aFolder();
    const serve = async (target = 'night') => (await check(target)).plan.serve;
    expect(await serve('night.yaml')).toBe(
      'Every night by `callsheet serve`: `callsheet import night night.yaml` brings it in, then `callsheet resume night` starts it.',
    );
    await take();
    expect(await serve()).toBe(
      '`callsheet serve` calls nobody of it until `callsheet resume night`: it is draft.',
    );
    await run('resume', 'night');
    expect(await serve()).toBe(
      '`callsheet serve` looks for lists and calls 2 people. Calling starts tonight at 18:00, until tomorrow at 05:00, then tomorrow at 18:00.',
    );
    await run('pause', 'night');
    expect(await serve()).toContain('until `callsheet resume night`: it is paused.');
    await run('cancel', 'night', '--yes');
    expect(await serve()).toBe('`callsheet serve` calls nobody of it: it is cancelled.');
  });

  it('says it last, and nothing of serve where a plain list is called once', async () => {
    const { at, check } = await aFolder();
    const { err } = await check('night.yaml');
    const said = err.trimEnd().split('\n').slice(-2);
    expect(said[0]).toContain('callsheet serve');
    expect(said[1]).toBe('Nobody was called, nothing was written.');
    at.write('once.yaml', `leads: once.csv\nagent: ag_1\nrules: [always]\n`);
    at.write('once.csv', `phone\n${aPhone(0)}\n`);
    expect(await check('once.yaml')).toMatchObject({ plan: { serve: null } });
  });

  it('with schedule and budgets in the header', async () => {
    const { check } = await aFolder(
      "stop: { calls: 50, cost: 40 EUR, at: '20:30', total: { answered: 100 } }\n",
    );
    const { err } = await check('night.yaml');
    expect(err.split('\n')[0]).toContain(
      '; schedule "0 18 * * *" UTC; at most 50 calls, 40 EUR a night, 100 answered in all; no call after 20:30; ',
    );
  });

  it('and foretells no end before the first call', async () => {
    const { check } = await aFolder();
    const { plan } = await check('night.yaml', '--at', '2026-01-05 19:00');
    expect(Date.parse(plan.forecast?.endsAt.low ?? '')).toBeGreaterThanOrEqual(
      Date.parse('2026-01-06T18:00Z'),
    );
  });

  it('and, for a list that is added, who joins', async () => {
    const { at, run, check, take } = await aFolder();
    await take();
    at.write('more.csv', `phone\n${aPhone(1)}\n${aPhone(7)}\n`);
    const added = ['more.csv', '--name', 'night'];
    const without = await check(...added);
    expect(without.plan).toMatchObject({ callLater: 3 });
    expect(without.err).toContain('`run` needs --add');
    const joined = await check(...added, '--add');
    expect(joined.plan).toMatchObject({ callLater: 3 });
    expect(joined.err).not.toContain('needs --add');
    await run('import', 'night', 'more.csv');
    expect((await check(...added, '--add')).plan).toMatchObject({ callLater: 3 });
  });

  it('of a name that only a campaign file has, by that file', async () => {
    const { check } = await aFolder();
    expect((await check('night')).plan).toEqual((await check('night.yaml')).plan);
  });

  it('of a name that only a campaign file has, other commands name the file', async () => {
    const { at, run } = await aFolder();
    mkdirSync(at.path('campaigns'));
    at.write('campaigns/spring.yaml', at.read('night.yaml'));
    const { code, err } = await run('status', 'spring');
    expect(code).toBe(2);
    expect(err).toContain('check campaigns/spring.yaml');
  });
});
