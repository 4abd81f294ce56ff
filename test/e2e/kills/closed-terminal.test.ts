import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compiled } from '../../helpers/compiled-program.ts';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import {
  AGENT,
  KEY,
  rangTwice,
  simulatedService,
} from '../../helpers/services/simulated-service.ts';
import { until } from '../../helpers/until.ts';

const PHONES = Array.from({ length: 20 }, (_, i) => `+121255501${String(i).padStart(2, '0')}`);
const BIN = compiled('bin/callsheet.js');
const RUN = [
  ...['run', 'leads.csv', '--agent', AGENT, '--concurrency', '4', '-o', 'out.csv'],
  ...['--set', 'polling.floor=20ms', '--pace', '5/s'],
];

async function calling() {
  const simulator = await simulatedService();
  const at = desk({ VOICE_API_URL: simulator.url, VOICE_API_KEY: KEY });
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  const called = () => simulator.ledger().length;
  const isCollected = () =>
    rowsOf(at.read('out.csv')).filter((row) => row['call_state'] === 'done').length === called();
  return { simulator, at, called, isCollected };
}

/** A process of its own whose output can be closed. */
function begin(program: string, argv: readonly string[], at: { cwd: string; env: object }) {
  const env = { ...at.env, PATH: process.env['PATH'] };
  const child = spawn(program, argv, { cwd: at.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
  return { child, ended: once(child, 'exit') };
}

describe('a closed terminal', () => {
  it('stops like Ctrl-C: what is in progress is collected, results are written, nobody is told', async () => {
    const { simulator, at, called, isCollected } = await calling();
    const { child, ended } = begin(process.execPath, [BIN, ...RUN], at);
    await until(() => called() >= 3);
    child.stdout.destroy();
    child.stderr.destroy();
    // The shell, the kernel and systemd each send theirs.
    for (const signal of ['SIGHUP', 'SIGHUP', 'SIGTERM'] as const) child.kill(signal);
    expect(await ended).toEqual([130, null]);
    expect(called()).toBeLessThan(PHONES.length);
    expect(isCollected()).toBe(true);

    expect((await at.run(['run', 'leads', '--pace', 'none'])).code).toBe(0);
    expect(rangTwice(simulator.ledger())).toEqual([]);
  });

  it('does not stop a run of a script under nohup', async () => {
    const { at, called } = await calling();
    const script = `trap '' HUP; "$0" "$@" & echo $!; wait $!`;
    const argv = ['-c', script, process.execPath, BIN, ...RUN, '--limit', '4'];
    const { child, ended } = begin('sh', argv, at);
    const [pid] = (await once(child.stdout, 'data')) as [Buffer];
    await until(() => called() >= 1);
    process.kill(Number(pid.toString()), 'SIGHUP');
    expect(await ended).toEqual([3, null]);
    expect(called()).toBe(4);
  });

  it('is written nothing any more', async () => {
    const { at, called, isCollected } = await calling();
    const { io, ended } = at.begin(RUN, { stderrIsTty: true });
    await until(() => called() >= 2);
    const before = io.err();
    io.signal('SIGHUP');
    const { code, err } = await ended;
    expect([code, err]).toEqual([130, before]);
    expect(isCollected()).toBe(true);
  });

  it('changes nothing of how a run ends where only its errors tell of it', async () => {
    const { at, called } = await calling();
    let failed = 0;
    const stderr = new Writable({
      autoDestroy: false,
      write: (_chunk, _encoding, done) => {
        failed += 1;
        done(Object.assign(new Error('write EIO'), { code: 'EIO' }));
      },
    });
    const { code } = await at.run([...RUN, '--limit', '2'], { stderr, stderrIsTty: true });
    expect([code, called()]).toEqual([3, 2]);
    expect(failed).toBeLessThan(20);
    expect(rowsOf(at.read('out.csv'))).toHaveLength(PHONES.length);
  });
});
