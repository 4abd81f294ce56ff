import type { CallListing, VoiceService } from '../../../src/service/port.ts';
import type { Process } from './process.ts';
import type { Ledger } from './ledger.ts';
import type { ServiceWorld } from './service.ts';

/** The service's list of calls as one process reads it: it says that they were made, and a look what became of them. */
export function callListOf(
  ledger: Ledger,
  world: ServiceWorld,
  process: Process,
): NonNullable<VoiceService['callList']> {
  const read = async ({ since }: { since: number }): Promise<CallListing> => {
    await process.reach();
    await process.clock.sleep(10);
    const { random, isCalm, plan } = world;
    if (random() < plan.analytics.lookFails && !isCalm) {
      return { kind: 'failed', detail: 'HTTP 503', retryAfterMs: 2_000, keyRefused: false };
    }
    const misses = isCalm ? 0 : (plan.lists?.misses ?? 0);
    const listed = ledger.calls.filter((call) => call.startedAt >= since && random() >= misses);
    for (const { callId } of listed) ledger.told.add(callId);
    await process.reach();
    const calls = listed.map(({ callId, phone, key, agent, startedAt }) => {
      const attemptKey = plan.lists?.names === 'keys' ? key : null;
      return { callId, phone, attemptKey, agent, startedAt, found: null };
    });
    return { kind: 'listed', calls, complete: calls.length === ledger.calls.length };
  };
  return { read, tellsOfDials: true };
}
