import { seededRandom } from '../../../src/runtime/random.ts';
import type { PollResult } from '../../../src/service/port.ts';
import { someAnalytics } from '../../helpers/factory.ts';
import type { Plan } from '../plan.ts';
import type { Call } from '../world/ledger.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** How the calls of a night end, drawn apart from its troubles. */
export function endingsOf(world: {
  plan: Plan;
  wall(): number;
}): () => Pick<Call, 'outcome' | 'callbackAt'> {
  const { calling, seed } = world.plan;
  if (calling === null) return () => ({ outcome: null, callbackAt: null });
  const random = seededRandom(`endings ${seed}`);
  return () => {
    const outcome = calling.outcomes[Math.floor(random() * calling.outcomes.length)] ?? null;
    const later = Math.floor(random() * 2 * DAY_MS);
    const asks = random() < calling.callbacks && outcome === 'answered';
    return { outcome, callbackAt: asks ? world.wall() + MINUTE_MS + later : null };
  };
}

/** What the service says of a call that is over. */
export function foundOf(call: Call): Extract<PollResult, { kind: 'settled' }> {
  const { name: summary, outcome, callbackAt } = call;
  const raw = { phone_number: call.phone, idempotency_key: call.key };
  if (outcome === null || outcome === 'answered' || outcome === 'opted_out') {
    const analytics = someAnalytics({ summary, raw });
    const callback = callbackAt === null ? undefined : { said: 'later', at: callbackAt };
    return { kind: 'settled', analytics, result: outcome, ...(callback && { callback }) };
  }
  // In these nights a person who declines a call says so: the words are what a rule's silence follows.
  const transcript = outcome === 'declined' ? 'agent: Hello.\nperson: Stop calling me.' : '';
  const analytics = someAnalytics({ summary, raw, transcript, turns: [], durationMs: 0 });
  return { kind: 'settled', analytics, result: outcome };
}
