import { describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../../../src/runtime/clock.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { aDesk, json, PHONES, RUN, listed } from '../desk.ts';

const [AL, BO, CY] = PHONES as [string, string, string];
const later: Clock = { ...systemClock, now: () => systemClock.now() + 16 * 60_000 };

describe('resolve', () => {
  it('says so when no call is in doubt', async () => {
    const { at } = await aDesk();
    await at.run(RUN);
    const listed = await at.run(['resolve', 'leads']);
    expect(listed).toMatchObject({ code: 0, out: '' });
    expect(listed.err).toBe('No call of "leads" is in doubt.\n');
    expect(await json(at, ['resolve', 'leads'])).toEqual({
      ...{ items: [], next: null, about: null },
      needsYes: false,
    });
  });

  it.each([
    ['--as placed --lead a1', '--as placed needs --call-id ID'],
    ['--as placed --all --call-id c1', 'A call id belongs to one call'],
    ['--as not-placed', 'needs to know which call: --lead with its number or an id, or --all'],
    ['--as not-placed --all --lead a1', 'give one'],
    ['--as not-placed --all --call-id c1', '--call-id goes with --as placed only'],
    ['--as unconfirmed --all', '--as unconfirmed needs --note TEXT'],
    ['--lead a1', '--as placed, not-placed or unconfirmed'],
    ['--note why', '--as placed, not-placed or unconfirmed'],
    ['--from calls.csv --all', '--from decides by itself'],
    ['--as gone --all', '--as "gone" is not allowed'],
  ])('refuses what does not go together: %s', async (flags, why) => {
    const { at } = await aDesk();
    const { code, err } = await at.run(['resolve', 'leads', ...flags.split(' ')]);
    expect(code).toBe(2);
    expect(err).toContain(why);
    expect(err).toContain('--help`');
  });

  it('says what a call can be named by where a text is none of it', async () => {
    const { at } = await aDesk();
    await at.run(RUN);
    for (const lead of ['5', 'x-y', 'a99', AL]) {
      const argv = ['resolve', 'leads', '--lead', lead, '--as', 'not-placed'];
      const { code, err } = await at.run(argv);
      expect([code, err]).toEqual([
        2,
        expect.stringContaining('number, attempt id or external id'),
      ]);
      expect(err).toContain('`npx callsheet resolve leads` lists');
    }
  });

  it('settles all that can be, tells which cannot and why, and ends with 5 then', async () => {
    // Al's dial was taken, without an id; Bo's failed; Cy's comes through.
    const { at, service } = await aDesk({
      dial: ({ body }, callId) => {
        if (body['phone_number'] === CY) return { body: { call_id: callId } };
        return body['phone_number'] === BO ? { status: 503, body: '' } : { body: { ok: true } };
      },
    });
    at.write('leads.csv', `phone\n${CY}\n${BO}\n${AL}\n`);
    expect((await at.run(RUN)).code).toBe(5);
    expect(service.dialled).toHaveLength(3);

    const notPlaced = ['resolve', 'leads', '--all', '--as', 'not-placed', '--json'];
    const { code, out, err } = await at.run(notPlaced, { clock: later });
    expect(code).toBe(5);
    expect(JSON.parse(out)).toMatchObject({
      settled: [{ phone: BO, as: 'not_placed' }],
      refused: [
        { phone: AL, why: expect.stringContaining('answered the dial with a 2xx') as string },
      ],
      stillInDoubt: 1,
    });
    expect(err).toContain('1 person may be called a second time');
    expect(err).toContain('1 call is still in doubt; `npx callsheet resolve leads`.');

    const unconfirmed = ['resolve', 'leads', '--lead', AL, '--as', 'unconfirmed', '--note', 'x'];
    expect((await at.run(unconfirmed)).code).toBe(0);
    // A word may be changed as long as nobody was called for it.
    const back = [...unconfirmed.slice(0, 3), BO, ...unconfirmed.slice(4)];
    expect((await at.run(back)).code).toBe(0);
    expect(await listed(at)).toMatchObject([{ doubts: 0, waiting: 0, done: 3 }]);
  });

  it('is what list and status name where a doubt is all that keeps a campaign open', async () => {
    const { at } = await aDesk({ dial: () => ({ status: 503, body: '' }) });
    at.write('leads.csv', `phone\n${AL}\n`);
    expect((await at.run(RUN)).code).toBe(5);
    for (const argv of [['list'], ['status', 'leads']])
      expect((await at.run(argv)).err).toContain(
        'leads is not over, and nobody calls: `npx callsheet resolve leads`.',
      );
  });

  it.each([
    ['pause leads', 'The campaign is paused: `npx callsheet run leads` calls 1 person again after'],
    ['cancel leads --yes', 'The campaign is cancelled: nobody is called again.'],
  ])('says of a campaign after `%s` whether who was not called is', async (command, said) => {
    const { at } = await aDesk({ dial: () => ({ status: 503, body: '' }) });
    at.write('leads.csv', `phone\n${AL}\n`);
    expect((await at.run(RUN)).code).toBe(5);
    await at.run(command.split(' '));
    const notPlaced = ['resolve', 'leads', '--all', '--as', 'not-placed', '--yes'];
    const { code, err } = await at.run(notPlaced, { clock: later });
    expect([code, err]).toEqual([0, expect.stringContaining(said)]);
    expect(err).not.toContain('waits again');
  });

  it('with a log tells what it found, what is not there, and what it cannot decide', async () => {
    const { at, service } = await aDesk({ dial: () => ({ status: 503, body: '' }) });
    // The service takes no call: minutes pass before the third dial.
    const clock = hastyClock(400);
    expect((await at.run(RUN, { clock })).code).toBe(5);
    expect(service.dialled.toSorted()).toEqual(PHONES);
    const now = new Date(clock.now()).toISOString();
    const log = [`${AL},call-1,${now}`, `${CY},x,${now}`, `${CY},y,${now}`, `n/a,z,${now}`];
    at.write('calls.csv', `number,call id,started at\n${log.join('\n')}\n`);

    const { code, err } = await at.run(['resolve', 'leads', '--from', 'calls.csv'], { clock });

    expect(code).toBe(5);
    expect(err).toContain(`calls.csv: 3 calls read.\n  not read: line 5: `);
    expect(err).toMatch(/line 2 \+12125550100 \(a\d+\) is call call-1 \(.*calls\.csv:2\)\./);
    expect(err).toMatch(/line 3 \+12125550101 \(a\d+\) is not in the log/);
    expect(err).toMatch(/line 4 \+12125550102 \(a\d+\) is ambiguous: lines 3, 4 fit/);
    expect(err).toContain('2 calls are still in doubt');
  });
});
