import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createPulse, STUCK_AFTER_MS } from '../../../src/app/monitoring/monitor.ts';
import { AppError } from '../../../src/runtime/errors.ts';
import { VirtualClock } from '../../helpers/clock.ts';

function aPulse() {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const pulse = createPulse(clock, stop.signal);
  return { clock, stop, pulse, health: pulse.health };
}

/** A database of which each try to write it fails with the next of these; then it can be written. */
function aStore(failures: Error[]) {
  const store = {
    tries: 0,
    assertWritable: async () => {
      store.tries += 1;
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    },
  };
  return store;
}

describe('the pulse of serve', () => {
  it('is well while it begins, and while it stops, when its loop has ended', async () => {
    const { clock, pulse, stop, health } = aPulse();
    expect([health(), pulse.goesRound()]).toEqual([null, true]);
    stop.abort();
    await clock.advance(STUCK_AFTER_MS + 1);
    expect([health(), pulse.goesRound()]).toEqual([null, true]);
  });

  it('stops when no round comes for half a minute, and goes on with the next', async () => {
    const { clock, pulse, health } = aPulse();
    pulse.round();
    await clock.advance(STUCK_AFTER_MS);
    expect(health()).toBeNull();
    await clock.advance(1);
    expect([health(), pulse.goesRound()]).toEqual(['stuck', false]);
    pulse.round();
    expect(health()).toBeNull();
  });

  const onLost = vi.fn();
  beforeEach(() => onLost.mockReset());

  it('knows a database that fails by the next commit, and by trying every ten seconds', async () => {
    const { clock, pulse, health } = aPulse();
    const stop = new AbortController();
    const store = aStore([new AppError('STORE_FULL', 'full')]);
    const trying = pulse.tryStore(store, stop.signal, onLost);
    await clock.advance(1);
    expect(health()).toBe('store');
    await clock.advance(10_000);
    expect([store.tries, health()]).toEqual([2, null]);
    pulse.committed(true);
    // No reason for the watchdog: a restart makes no room on the disk.
    expect([health(), pulse.goesRound()]).toEqual(['store', true]);
    pulse.committed(false);
    expect(health()).toBeNull();
    stop.abort();
    await trying;
    expect(onLost).not.toHaveBeenCalled();
  });

  it.each(['STORE_GONE', 'JOURNAL_GONE', 'STORE_IO_FAILED', 'STORE_CORRUPT'])(
    'after %s tries nothing again, which would save another copy of the database, and says so',
    async (code) => {
      const { clock, pulse, health } = aPulse();
      const lost = new AppError(code, 'lost');
      const store = aStore([lost]);
      await pulse.tryStore(store, new AbortController().signal, onLost);
      await clock.advance(60_000);
      expect([store.tries, health()]).toEqual([1, 'store']);
      expect(onLost).toHaveBeenCalledExactlyOnceWith(lost);
    },
  );
});
