import type { CallNames } from '../../../src/domain/same-call.ts';
import type { Random } from '../../../src/runtime/random.ts';
import type { PollResult } from '../../../src/service/port.ts';
import { someAnalytics } from '../../helpers/factory.ts';
import { foundOf } from '../calling/endings.ts';
import type { Plan } from '../plan.ts';
import type { Call, Ledger } from './ledger.ts';
import type { Process } from './process.ts';

interface ReadWorld {
  plan: Plan;
  now(): number;
  isCalm: boolean;
  random: Random;
}

/** What the service says of a call that a process asks for, with its faults. */
export async function analyticsOf(
  callId: string,
  ledger: Ledger,
  world: ReadWorld,
  process: Process,
): Promise<PollResult> {
  await process.reach();
  await process.clock.sleep(10);
  const { random, isCalm, plan } = world;
  if (random() < plan.analytics.lookFails && !isCalm) {
    return { kind: 'failed', detail: 'HTTP 503', retryAfterMs: 2_000, keyRefused: false };
  }
  const unrung = ledger.unrung.find((other) => other.callId === callId);
  if (unrung !== undefined) {
    // One key is one call: what is known of it is known of every request with this key.
    for (const request of ledger.requests) {
      if (request.key === unrung.key) request.provedWithoutEffect = true;
    }
    const analytics = someAnalytics({ transcript: '', turns: [], durationMs: 0, raw: {} });
    return { kind: 'settled', analytics, result: 'not_called', said: 'no free line' };
  }
  const call = callOf(callId, ledger, world);
  if (call === undefined) {
    // Where nobody can sign, it is asked for what somebody made up.
    if (plan.webhooks?.signed !== false) {
      throw new Error(`nobody was given the call id ${callId}`);
    }
    return { kind: 'failed', detail: 'HTTP 404', retryAfterMs: null, keyRefused: false };
  }
  const now = world.now();
  const names = namesOf(call);
  if (now < call.endsAt) return { kind: 'pending', names };
  if (now < call.analyticsAt) return { kind: 'ended', names };
  if (call.isUnreadable) return { kind: 'unreadable', detail: 'no JSON', raw: '{"transcr' };
  if (call.callId === callId) ledger.given.add(callId);
  await process.reach();
  return { ...foundOf(call), names };
}

/** The one that was asked for, one of those with its id, or another one altogether. */
function callOf(callId: string, { calls }: Ledger, world: ReadWorld): Call | undefined {
  const { plan, isCalm, random } = world;
  const same = calls.filter((other) => other.callId === callId);
  const lies = plan.lies.analytics > 0 && !isCalm && random() < plan.lies.analytics;
  const some = lies && same.length > 0 ? calls : same;
  return some.length < 2 ? some[0] : some[Math.floor(random() * some.length)];
}

function namesOf({ callId, phone, key, agent }: Call): CallNames {
  return { callIds: [callId], phones: [phone], attemptKeys: [key], agents: [agent] };
}
