import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aPhone } from '../../../helpers/factory.ts';
import { until } from '../../../helpers/until.ts';
import { gate, type Behaviour } from '../../../helpers/services/voice-server.ts';
import { aDesk, PHONES, RUN, listed } from '../desk.ts';

/** More rows than are written, or read, at once. */
const ROWS = 5_000;
const LONG = `phone\n${Array.from({ length: ROWS }, (_, i) => aPhone(i)).join('\n')}\n`;
const AGENT = ['--agent', 'ag_1'];
const NOTHING = 'Interrupted: nothing was changed, nobody was called.\n';

/** A service that does not answer which agents it has. */
function silentUntil(asked: ReturnType<typeof gate>): Behaviour {
  return {
    agents: async () => {
      await asked.pass();
      return { body: { agents: [{ id: 'ag_1', name: 'Renewals' }] } };
    },
  };
}

describe('Ctrl-C', () => {
  it('while a list is imported says how much is in, and the same command brings the rest', async () => {
    const { at, service } = await aDesk();
    at.write('long.csv', LONG);
    const { io, ended } = at.begin(['import', 'spring', 'long.csv', ...AGENT]);
    await io.written('numbers from');
    io.signal();
    const { code, err } = await ended;
    expect(code).toBe(130);
    const said = /Interrupted: ([\d,]+) of 5,000 rows of \S+long\.csv are in; (.*)\n/.exec(err);
    expect(said?.[2]).toBe('the same command goes on from there; nobody was called.');
    const there = Number(said?.[1]?.replace(',', ''));
    expect(there).toBeLessThan(ROWS);
    expect(await listed(at)).toMatchObject([{ total: there }]);
    const again = await at.run(['import', 'spring', 'long.csv', ...AGENT]);
    expect(again.code).toBe(0);
    expect(await listed(at)).toMatchObject([{ total: ROWS, waiting: ROWS }]);
    expect(service.dialled).toEqual([]);
  });

  it.each(['run', 'check'])('while %s reads a list says that nothing was changed', async (verb) => {
    const asked = gate();
    const { at } = await aDesk(silentUntil(asked));
    at.write('long.csv', LONG);
    const { io, ended } = at.begin([verb, 'long.csv', ...AGENT]);
    await asked.waiting(1);
    io.signal();
    asked.open();
    expect(await ended).toMatchObject({ code: 130, err: NOTHING });
    expect(at.has('data/callsheet.db')).toBe(false);
  });

  it('while a service is silent leaves all the same, and takes what came by standard input away', async () => {
    const asked = gate();
    const { at } = await aDesk(silentUntil(asked));
    const { io, ended } = at.begin(['run', '-', '--name', 'spring', ...AGENT], {
      env: { ...at.env, TMPDIR: at.cwd },
    });
    io.stdin.end(LONG);
    await asked.waiting(1);
    io.signal();
    expect(await ended).toMatchObject({ code: 130, err: NOTHING });
    asked.open();
    expect(readdirSync(at.cwd)).toEqual(['leads.csv']);
  });

  it('at a question says that nothing was changed', async () => {
    const { at, service } = await aDesk();
    at.write('people.csv', 'Mobile,Cell\n+12125550100,+12125550101\n');
    const terminal = { stdinIsTty: true, stderrIsTty: true };
    const { io, ended } = at.begin(['run', 'people.csv', ...AGENT], terminal);
    await io.written('Type the number of the column');
    io.signal();
    const { code, err } = await ended;
    expect([code, err.endsWith(NOTHING)]).toEqual([130, true]);
    expect(at.has('data/callsheet.db')).toBe(false);
    expect(service.dialled).toEqual([]);
  });

  it('while numbers are suppressed says how many are', async () => {
    const { at } = await aDesk();
    at.write('dnc.csv', LONG);
    const { io, ended } = at.begin(['suppress', 'import', 'dnc.csv', '--db', 'x.db']);
    const list = ['suppress', 'list', '--db', 'x.db', '--json'];
    await until(async () => at.has('x.db') && (await at.run(list)).out.includes(aPhone(0)));
    io.signal();
    const { code, err } = await ended;
    expect(code).toBe(130);
    const said = /^Interrupted: ([\d,]+) numbers of \S+dnc\.csv are on the suppression list; /.exec(
      err,
    );
    const kept = (JSON.parse((await at.run(list)).out) as { items: unknown[] }).items;
    expect(Number(said?.[1]?.replace(',', ''))).toBe(kept.length);
  });

  it('once calls are made stops them as before', async () => {
    const { at, service } = await aDesk();
    const { io, ended } = at.begin(RUN);
    await io.written('3 waiting');
    io.signal();
    expect((await ended).err).toContain('Stopping: no new call is started');
    expect(service.dialled.length).toBeLessThanOrEqual(PHONES.length);
  });
});
