import { describe, expect, it } from 'vitest';
import {
  createPulse,
  STUCK_AFTER_MS,
  watchForManager,
} from '../../../src/app/monitoring/monitor.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';

const MINUTE = 60_000;

/** A `serve` whose manager writes down what it is told, and when. */
function watched(watchdogMs = MINUTE, fails = false) {
  const clock = new VirtualClock();
  const env = watchdogMs === 0 ? {} : { WATCHDOG_USEC: `${watchdogMs * 1_000}` };
  const io = { ...fakeWorld({ cwd: '/', clock }), env };
  const stop = new AbortController();
  const pulse = createPulse(clock, stop.signal);
  const told: { at: number; said: string[] }[] = [];
  const begun = clock.monotonic();
  const tell = async (...said: string[]) => {
    if (fails) throw new Error('no such program');
    told.push({ at: clock.monotonic() - begun, said });
  };
  const manager = watchForManager(pulse, stop.signal, io, tell);
  const at = (name: string) =>
    told.filter(({ said }) => said.includes(`${name}=1`)).map((each) => each.at);
  /** Time passes, and the loop of `serve` goes round every second. */
  const goesOn = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      pulse.round();
      await clock.advance(1_000);
    }
  };
  const ready = () => {
    manager.ready();
    return clock.advance(0);
  };
  return { clock, io, stop, pulse, told, manager, ready, at, goesOn };
}

describe('what a service manager is told', () => {
  it('nothing before serve is ready; then that it is, and that it goes on, twice a watchdog time', async () => {
    const { manager, ready, at, goesOn, told } = watched();
    await goesOn(10_000);
    expect(told).toEqual([]);
    await ready();
    await goesOn(2 * MINUTE);
    expect(at('READY')[0]).toBe(10_000);
    expect(at('WATCHDOG')).toEqual([10_000, 40_000, 70_000, 100_000, 130_000]);
    await manager.close();
  });

  it('a loop that is stuck is not reported alive', async () => {
    const { clock, manager, ready, at, goesOn } = watched(20_000);
    await ready();
    await goesOn(5_000);
    await clock.advance(5 * MINUTE);
    expect(at('WATCHDOG').filter((when) => when > 5_000 + STUCK_AFTER_MS)).toEqual([]);
    await manager.close();
  });

  it('a database that cannot be written is no reason to be restarted', async () => {
    const { manager, ready, pulse, told, goesOn } = watched();
    await ready();
    pulse.committed(true);
    await goesOn(MINUTE);
    expect(told.at(-1)).toEqual({ at: MINUTE, said: ['READY=1', 'WATCHDOG=1'] });
    await manager.close();
  });

  it('at a stop: that it stops, at once and once', async () => {
    const { clock, manager, ready, stop, told, goesOn } = watched();
    await ready();
    await goesOn(5_000);
    stop.abort();
    await clock.advance(0);
    await clock.advance(5 * MINUTE);
    await manager.close();
    const stopping = told.filter(({ said }) => said.includes('STOPPING=1'));
    expect(stopping.map(({ at }) => at)).toEqual([5_000]);
  });

  it('that it ends, also when it ends by itself', async () => {
    const { clock, manager, ready, told } = watched();
    await ready();
    await clock.advance(1);
    await manager.close();
    expect(told.at(-1)?.said).toEqual(['STOPPING=1']);
  });

  it('that it is ready every half minute where it does not watch', async () => {
    const { manager, ready, at, goesOn } = watched(0);
    await ready();
    await goesOn(MINUTE);
    expect(at('READY')).toEqual([0, 30_000, 60_000]);
    await manager.close();
  });

  it('a manager that cannot be told is a problem that is said once', async () => {
    const { io, manager, ready, goesOn } = watched(MINUTE, true);
    await ready();
    await goesOn(3 * MINUTE);
    await manager.close();
    expect(io.err().match(/could not be told how callsheet does: no such program\./g)).toHaveLength(
      1,
    );
  });
});

it('where there is no service manager, nothing is told', async () => {
  const clock = new VirtualClock();
  const io = fakeWorld({ cwd: '/', clock });
  const never = new AbortController().signal;
  const manager = watchForManager(createPulse(clock, never), never, io);
  manager.ready();
  await clock.advance(MINUTE);
  await manager.close();
  expect(io.err()).toBe('');
});
