import { describe, expect, it, onTestFinished } from 'vitest';
import type { Signal } from '../../../src/cli/io.ts';
import { createStop } from '../../../src/cli/terminal/stop.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';

function listening() {
  const clock = new VirtualClock();
  const io = fakeWorld({ cwd: '/', clock });
  const told: string[] = [];
  let left = 0;
  const stop = createStop(io);
  stop.signals.left.addEventListener('abort', () => (left += 1));
  stop.listen((sentence) => told.push(sentence), 'nothing is lost.');
  const signal = (which: Signal) => {
    io.signal(which);
  };
  return { clock, stop, told, signal, left: () => left };
}

it('hundreds of campaigns may listen for the stop, and Node does not warn on stderr', async () => {
  const { stop } = listening();
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => void warnings.push(name);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  for (const signal of Object.values(stop.signals))
    for (let n = 0; n < 200; n++) signal.addEventListener('abort', () => n);
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
  stop.forget();
});

describe('a run that is to stop', () => {
  it.each<Signal>(['SIGINT', 'SIGTERM', 'SIGHUP'])('starts no new call after %s', (first) => {
    const { stop, told, signal } = listening();
    signal(first);
    expect(stop.signals.dialling.aborted).toBe(true);
    expect(stop.signals.all.aborted).toBe(false);
    expect(told).toEqual([expect.stringContaining('no new call is started')]);
    stop.forget();
  });

  it.each<[string, Signal[]]>([
    ['systemd, which sends SIGTERM and SIGHUP', ['SIGTERM', 'SIGHUP']],
    ['a terminal, whose kernel and shell send a SIGHUP each', ['SIGHUP', 'SIGHUP']],
    ['timeout, which sends SIGTERM to the process and its group', ['SIGTERM', 'SIGTERM']],
    ['a terminal that is closed upon Ctrl-C', ['SIGINT', 'SIGHUP', 'SIGHUP', 'SIGTERM']],
  ])('still collects what is in progress when it is closed by %s', async (_who, signals) => {
    const { clock, stop, signal, left } = listening();
    for (const each of signals) {
      signal(each);
      await clock.advance(100);
    }
    expect([stop.signals.all.aborted, left()]).toEqual([false, 0]);
    stop.forget();
  });

  it('is left at once by a second Ctrl-C, and by a second SIGTERM that somebody has waited for', async () => {
    const impatient = listening();
    impatient.signal('SIGTERM');
    impatient.signal('SIGINT');
    expect([impatient.stop.signals.all.aborted, impatient.left()]).toEqual([true, 1]);

    const patient = listening();
    patient.signal('SIGTERM');
    await patient.clock.advance(2_000);
    patient.signal('SIGTERM');
    expect([patient.stop.signals.all.aborted, patient.left()]).toEqual([true, 1]);
  });

  it('ends by itself within a minute, before systemd loses its patience', async () => {
    const { clock, stop, signal } = listening();
    signal('SIGTERM');
    await clock.advance(60_000);
    expect(stop.signals.all.aborted).toBe(true);
  });
});
