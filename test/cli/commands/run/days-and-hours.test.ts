import { describe, expect, it } from 'vitest';
import { endOfDay } from '../../../../src/text/wall-clock.ts';
import { systemClock } from '../../../../src/runtime/clock.ts';
import { aDesk, RUN } from '../desk.ts';

const clockAt = (time: string) => ({ ...systemClock, now: () => Date.parse(time) });
const DB = ['--db', 'data/callsheet.db'];

describe('run --until', () => {
  it('calls nobody after an hour that summer time skips', async () => {
    const { at, service } = await aDesk();
    const argv = [...RUN, '--timezone', 'Africa/Cairo', '--until', '00:30'];
    const { code, err } = await at.run(argv, { clock: clockAt('2026-04-23T22:00:00Z') });
    expect(err).toContain('Stopped at --until');
    expect(code).toBe(3);
    expect(service.dialled).toEqual([]);
  });
});

describe('a day', () => {
  it('until which a number is suppressed ends at midnight, as the message and the list say', async () => {
    const { at } = await aDesk();
    at.write('out.csv', 'phone\n+12125550101\n');
    // Today, late in the evening: 23:00 in New York.
    const clock = clockAt('2026-03-02T04:00:00Z');
    const until = ['--until', '2026-03-01', ...DB];
    const added = await at.run(['suppress', 'add', '+12125550100', ...until], { clock });
    expect(added.err).toBe(
      '+12125550100 is suppressed through 2026-03-01 (until Mon 2026-03-02 00:00 America/New_York); nobody calls it until then.\n',
    );
    const imported = await at.run(['suppress', 'import', 'out.csv', ...until], { clock });
    expect(imported.err).toContain(
      '1 number suppressed through 2026-03-01 (until Mon 2026-03-02 00:00 America/New_York), 0 were',
    );
    const listed = async (time: string) =>
      (await at.run(['suppress', 'list', ...DB], { clock: clockAt(time) })).out;
    const shown = await listed('2026-03-02T04:59:59Z');
    expect(shown).toMatch(
      /\+12125550100 +2026-03-01 +2026-03-01 .*\n\+12125550101 +2026-03-01 +2026-03-01 /,
    );
    expect(await listed('2026-03-02T05:00:01Z')).toBe('');
  });

  it.each([[['suppress', 'add', '+12125550100']], [['suppress', 'import', 'leads.csv']]])(
    'that is over suppresses nobody, and is refused: %s --until',
    async (argv) => {
      const { at } = await aDesk();
      const clock = clockAt('2026-03-02T05:00:00Z');
      const { code, err } = await at.run([...argv, '--until', '2026-03-01', ...DB], { clock });
      expect(code).toBe(2);
      expect(err).toContain(
        '--until "2026-03-01" has passed: that day ended at Mon 2026-03-02 00:00 America/New_York, so that nobody would be suppressed.',
      );
      expect(err).toContain('next: give today or a later day, or leave --until out: for good');
      expect(at.has('data/callsheet.db')).toBe(false);
    },
  );

  it.each([
    // Set back at midnight: its last hour comes twice. Set back to midnight: the next day's first one does.
    ['America/Santiago', '2026-04-04', '2026-04-05T04:00:00.000Z'],
    ['America/Havana', '2026-10-31', '2026-11-01T04:00:00.000Z'],
    ['Africa/Cairo', '2026-04-23', '2026-04-23T22:00:00.000Z'],
  ])(
    'of %s is over when the clocks show the next one, also where they change: %s',
    (zone, day, end) => {
      expect(new Date(endOfDay(day, zone)).toISOString()).toBe(end);
    },
  );

  it.each([[['run', 'leads.csv', '--agent', 'ag_1']], [['suppress', 'import', 'leads.csv']]])(
    'for which a list is true is none that is still to come: %s',
    async (argv) => {
      const { at, service } = await aDesk();
      const clock = clockAt('2026-01-05T09:59:00Z');
      const { code, err } = await at.run([...argv, '--as-of', '2026-01-06', ...DB], { clock });
      expect([code, service.dialled]).toEqual([2, []]);
      expect(err).toContain(
        '--as-of "2026-01-06" is still to come. Give today (2026-01-05) or a day before.',
      );
    },
  );

  it('since which results are wanted is none that is still to come', async () => {
    const { at } = await aDesk();
    await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    const argv = ['export', 'spring', '-o', '-', '--since', '2026-01-06'];
    const { code, err } = await at.run(argv, { clock: clockAt('2026-01-05T15:00:00Z') });
    expect(code).toBe(2);
    expect(err).toContain(
      '--since "2026-01-06" is still to come: it is only Mon 2026-01-05 10:00 America/New_York.',
    );
  });

  it('for which a file is true may be the one that has begun in the east', async () => {
    const { at } = await aDesk();
    at.write('212.txt', '212,5550102\n');
    const argv = ['suppress', 'import', '212.txt', '--as-of', '2026-01-06', ...DB];
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
