import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { aDesk, RUN } from './desk.ts';

const clockAt = (time: string) => ({ ...systemClock, now: () => Date.parse(time) });
const DB = ['--db', 'data/callsheet.db'];

describe('run --until', () => {
  it.each([
    ['Africa/Cairo', '2026-04-23T22:00:00Z', '00:30'],
    ['America/Santiago', '2026-09-06T04:00:00Z', '00:30'],
    ['America/Havana', '2026-03-08T05:00:00Z', '00:30'],
    ['America/New_York', '2026-03-08T07:00:00Z', '02:30'],
  ])('calls nobody after an hour that summer time skips in %s', async (zone, skip, until) => {
    const { at, service } = await aDesk();
    const argv = [...RUN, '--timezone', zone, '--until', until];
    const { code, err } = await at.run(argv, { clock: clockAt(skip) });
    expect(err).toContain('Stopped at --until');
    expect(code).toBe(3);
    expect(service.dialled).toEqual([]);
  });
});

describe('a day', () => {
  it('until which a number is suppressed has to have come everywhere on earth', async () => {
    const { at } = await aDesk();
    await at.run(['suppress', 'add', '+12125550100', '--until', '2999-07-01', ...DB]);
    const listed = async (time: string) =>
      (await at.run(['suppress', 'list', '+12125550100', ...DB], { clock: clockAt(time) })).err;
    // In Hawaii it is still June.
    expect(await listed('2999-07-01T09:00:00Z')).toBe('');
    expect(await listed('2999-07-01T12:00:01Z')).toBe('+12125550100 is not suppressed.\n');
  });

  it('for which a file is true may be the one that has begun in the east', async () => {
    const { at } = await aDesk();
    at.write('212.txt', '212,5550102\n');
    const argv = ['suppress', 'import', '212.txt', '--as-of', '2026-01-06', ...DB];
    expect((await at.run(argv, { clock: clockAt('2026-01-05T09:59:00Z') })).code).toBe(2);
    expect((await at.run(argv, { clock: clockAt('2026-01-05T20:00:00Z') })).code).toBe(0);
  });

  it.each([
    [['suppress', 'add', '+12125550100', '--until', '2026-02-31']],
    [['suppress', 'import', 'leads.csv', '--as-of', '2026-02-31']],
    [[...RUN, '--as-of', '2026-02-31']],
  ])('is one of the calendar: %s', async (argv) => {
    const { at, service } = await aDesk();
    const { code, err } = await at.run([...argv, ...DB]);
    expect(code).toBe(2);
    expect(err).toContain('"2026-02-31" is not a day such as 2026-01-05.');
    expect(service.dialled).toEqual([]);
  });
});
