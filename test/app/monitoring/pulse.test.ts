import { describe, expect, it } from 'vitest';
import { createPulse } from '../../../src/app/monitoring/pulse.ts';
import { STUCK_AFTER_MS } from '../../../src/domain/monitoring/health.ts';
import { AppError } from '../../../src/runtime/errors.ts';
import { VirtualClock } from '../../helpers/clock.ts';

function aPulse() {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const pulse = createPulse(clock, stop.signal);
  return { clock, stop, pulse, ...pulse.health };
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
  it('is ready once it listens, and no more once it stops', () => {
    const { pulse, stop, healthz, readyz } = aPulse();
    expect([healthz().unwell, readyz().unwell]).toEqual([null, 'starting']);
    pulse.listens();
    expect(readyz().unwell).toBeNull();
    stop.abort();
    expect([healthz().unwell, readyz().unwell]).toEqual([null, 'stopping']);
  });

  it('stops when no round comes for half a minute, and goes on with the next', async () => {
    const { clock, pulse, healthz } = aPulse();
    pulse.round();
    await clock.advance(STUCK_AFTER_MS);
    expect(healthz().unwell).toBeNull();
    await clock.advance(1);
    expect(healthz().unwell).toBe('stuck');
    pulse.round();
    expect(healthz().unwell).toBeNull();
  });

  it('knows a database that fails by the next commit, and by trying every ten seconds', async () => {
    const { clock, pulse, healthz } = aPulse();
    const stop = new AbortController();
    const store = aStore([new AppError('STORE_FULL', 'full')]);
    const trying = pulse.tryStore(store, stop.signal);
    await clock.advance(1);
    expect(healthz().unwell).toBe('store');
    await clock.advance(10_000);
    expect([store.tries, healthz().unwell]).toEqual([2, null]);
    pulse.committed({ failed: true });
    expect(healthz().unwell).toBe('store');
    pulse.committed({ failed: false });
    expect(healthz().unwell).toBeNull();
    stop.abort();
    await trying;
  });

  it('does not try again where the database is gone: each try would save another copy of it', async () => {
    const { clock, pulse, healthz } = aPulse();
    const store = aStore([new AppError('STORE_GONE', 'gone')]);
    await pulse.tryStore(store, new AbortController().signal);
    await clock.advance(60_000);
    expect([store.tries, healthz().unwell]).toEqual([1, 'store']);
  });
});
