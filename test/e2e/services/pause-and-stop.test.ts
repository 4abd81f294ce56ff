import { describe, expect, it } from 'vitest';
import { desk, rowsOf, type Desk } from '../../helpers/callsheet.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import {
  AGENT,
  KEY,
  rangTwice,
  simulatedService,
} from '../../helpers/services/simulated-service.ts';
import { until } from '../../helpers/until.ts';
import { gate, voiceServer } from '../../helpers/services/voice-server.ts';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';

const PHONES = Array.from({ length: 20 }, (_, i) => `+121255501${String(i).padStart(2, '0')}`);

const deskAt = (url: string, key = KEY): Desk => {
  const at = desk({ VOICE_API_URL: url, VOICE_API_KEY: key });
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  return at;
};
const RUN = [
  ...['run', 'leads.csv', '--agent', AGENT, '--concurrency', '4'],
  ...['--set', 'polling.floor=20ms', '-o', 'out.csv'],
];

/** So slow that the campaign is not over before another process has started, however busy the machine is. */
const SLOWLY = [...RUN, '--pace', '2/s'];

interface Shown {
  waiting: number;
  calling: number;
  heldSlots: { state: string }[];
}
const isPlaced = ({ state }: { state: string }) => state !== 'intent';
const statusOf = async (at: Desk) =>
  JSON.parse((await at.run(['status', 'leads', '--json'])).out) as Shown;

describe('pause, in a second terminal', () => {
  it('starts no new call, while calls in progress are collected; resume goes on', async () => {
    const simulator = await simulatedService();
    const at = deskAt(simulator.url);
    const { io, ended } = at.begin(SLOWLY);
    await until(() => simulator.ledger().length >= 2);
    const paused = await at.run(['pause', 'leads']);
    expect(paused.code).toBe(0);
    expect(paused.err).toContain('Campaign "leads" is paused: no new call is started.');
    // A dial that was claimed before the pause may still be on its way.
    await until(async () => (await statusOf(at)).heldSlots.every(isPlaced));
    const rang = simulator.ledger().length;
    await io.written('Paused: no new call is started; calls in progress end by themselves.');
    await until(async () => (await statusOf(at)).calling === 0);
    expect(simulator.ledger()).toHaveLength(rang);
    expect((await statusOf(at)).waiting).toBe(PHONES.length - rang);
    expect(rang).toBeLessThan(PHONES.length);

    const resumed = await at.run(['resume', 'leads', '--pace', 'none']);
    expect(resumed.err).toContain('pace 2/s -> none (flag --pace)');
    expect(resumed.err).toMatch(/Campaign "leads" is resumed; the runner \(pid \d+\) goes on\./);
    await io.written('Resumed.');
    expect((await ended).code).toBe(0);
    expect(simulator.ledger()).toHaveLength(PHONES.length);
    expect(rangTwice(simulator.ledger())).toEqual([]);
  });

  it('is not lifted by run, which only collects then', async () => {
    const simulator = await simulatedService();
    const at = deskAt(simulator.url);
    await at.run([...RUN, '--limit', '2']);
    await at.run(['pause', 'leads']);
    const only = await at.run(['run', 'leads']);
    expect(only.code).toBe(3);
    expect(only.err).toContain('Campaign "leads" is paused: only collecting.');
    expect(only.err).toContain('`npx callsheet resume leads`, then `npx callsheet run leads`');
    expect(simulator.ledger()).toHaveLength(2);
    const again = await at.run(['pause', 'leads']);
    expect(again.err).toContain('Campaign "leads" was paused by ');
    const resumed = await at.run(['resume', 'leads']);
    expect(resumed.err).toContain('is resumed; `npx callsheet run leads` calls.');
    const nothing = await at.run(['resume', 'leads']);
    expect(nothing.err).toContain(
      'Campaign "leads" is open, not paused: nothing to resume. 18 leads wait; `npx callsheet run leads` goes on.',
    );
  });

  it('--all pauses every running campaign, and says so when there is none', async () => {
    const simulator = await simulatedService();
    const at = deskAt(simulator.url);
    await at.run([...RUN, '--limit', '1']);
    await at.run([...RUN, '--limit', '1', '--name', 'second list']);
    const paused = await at.run(['pause', '--all']);
    expect(paused.err).toContain('Campaign "leads" is paused');
    expect(paused.err).toContain("`npx callsheet resume 'second list'` goes on");
    const none = await at.run(['pause', '--all']);
    expect(none).toMatchObject({ code: 0 });
    expect(none.err).toContain('No campaign is running');
    expect((await at.run(['pause'])).code).toBe(2);
    expect((await at.run(['pause', 'leads', '--all'])).code).toBe(2);
  });
});

describe('Ctrl-C', () => {
  it('once loses nothing: every placed call is collected, and the next run calls the others', async () => {
    const simulator = await simulatedService();
    const at = deskAt(simulator.url);
    const running = at.begin(SLOWLY, { logTime: true });
    await until(() => simulator.ledger().length >= 3);
    running.io.signal();
    const stopped = await running.ended;
    expect(stopped.code).toBe(130);
    expect(stopped.err).toContain('Stopping: no new call is started');
    expect(stopped.err).toMatch(
      /Interrupted: \d+ leads wait; `npx callsheet run leads` goes on\.\n$/,
    );
    // Nobody looks on: each line has its time and the id of the run.
    const lines = stopped.err.trimEnd().split('\n');
    expect(lines.filter((line) => !/^\d{4}-\S+T\S+ \[[0-9a-f]{6}\] /.test(line))).toEqual([]);
    const rang = simulator.ledger().length;
    expect(rang).toBeLessThan(PHONES.length);
    const rows = rowsOf(at.read('out.csv'));
    expect(rows).toHaveLength(PHONES.length);
    expect(rows.filter((row) => row['call_state'] === 'done')).toHaveLength(rang);

    expect((await at.run(['run', 'leads', '--pace', 'none'])).code).toBe(0);
    expect(simulator.ledger()).toHaveLength(PHONES.length);
    expect(rangTwice(simulator.ledger())).toEqual([]);
  });

  it('twice leaves at once, whatever is in flight, and nobody is called again for it', async () => {
    const held = gate();
    const service = await voiceServer({
      agents: () => ({ body: [{ id: AGENT }] }),
      dial: async (_, callId, count) => {
        if (count > 4) await held.pass();
        return { body: { call_id: callId } };
      },
    });
    const at = deskAt(service.url);
    const running = spawnCallsheet(at, RUN);
    // Four answers let four dials wait for theirs at once.
    await held.waiting(4);
    running.kill('SIGINT');
    await running.written('Stopping');
    running.kill('SIGINT');
    const left = await running.ended;
    expect(left.code).toBe(130);
    expect(left.err).toContain('Left at once. Nothing is lost: ');
    held.open();

    const hasty = { clock: hastyClock(20) };
    const stuck = at.begin(['run', 'leads'], hasty);
    await stuck.io.written('4 calls in doubt hold all 4 slots');
    stuck.io.signal();
    expect((await stuck.ended).code).toBe(130);
    const again = await at.run(['run', 'leads', '--concurrency', '8'], hasty);
    // Those whose answer was not waited for are in doubt; everybody else is called, nobody twice.
    expect(again.code).toBe(5);
    expect(again.err).toContain('A person is needed: it is not known whether 4 calls were made');
    expect(service.dialled.toSorted()).toEqual(PHONES);
    expect(rowsOf(at.read('out.csv'))).toHaveLength(PHONES.length);
  });
});
