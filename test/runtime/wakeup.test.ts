import { describe, expect, it } from 'vitest';
import { Wakeup } from '../../src/runtime/lanes.ts';
import { VirtualClock } from '../helpers/clock.ts';

describe('Wakeup', () => {
  it('sleeps as long as it is told', async () => {
    const { clock, wakeup, signal } = setup();
    const waits = wakeup.wait(1_000, signal);
    const isOver = watch(waits);

    await clock.advance(999);
    expect(isOver()).toBe(false);
    await clock.advance(1);
    expect(isOver()).toBe(true);
  });

  it('does not sleep for less than nothing', async () => {
    const { clock, wakeup, signal } = setup();

    await wakeup.wait(-1, signal);

    expect(clock.sleeping).toBe(0);
  });

  it('ends its sleep when it is woken', async () => {
    const { clock, wakeup, signal } = setup();
    const waits = wakeup.wait(null, signal);

    wakeup.wake();
    await waits;

    expect(clock.sleeping).toBe(0);
  });

  it('remembers a wake that comes while nobody sleeps, once', async () => {
    const { clock, wakeup, signal } = setup();
    wakeup.wake();
    wakeup.wake();

    await wakeup.wait(null, signal);
    const isOver = watch(wakeup.wait(null, signal));
    await clock.advance(1_000);

    expect(isOver()).toBe(false);
    wakeup.wake();
  });

  it('ends its sleep when the signal aborts', async () => {
    const { clock, wakeup, signal, abort } = setup();
    const waits = wakeup.wait(1_000, signal);

    abort();
    await waits;

    expect(clock.sleeping).toBe(0);
  });

  it('does not begin to sleep once the signal has aborted', async () => {
    const { clock, wakeup, signal, abort } = setup();
    abort();

    await wakeup.wait(null, signal);

    expect(clock.sleeping).toBe(0);
  });
});

function setup() {
  const clock = new VirtualClock();
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
  };
  return { clock, wakeup: new Wakeup(clock), signal: controller.signal, abort };
}

function watch(promise: Promise<void>): () => boolean {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  return () => over;
}
