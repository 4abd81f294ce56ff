import { seededRandom } from '../../../src/runtime/random.ts';
import type { CallingPlan } from '../calling/calling-plan.ts';
import { drawing } from '../calling/drawing.ts';
import type { DenialEvent, Plan } from '../plan.ts';

/** Troubles begin to end so late where people are denied: a doubt can be denied once its call is over at the latest. */
const CALM_AT = 26_000;
/** After `longestCallMsOf` of the first dials. */
const FIRST_DENIAL = 8_300;

/**
 * A fifth of the nights: calls that people say were not made, with the same people taken out, the calls found, other
 * campaigns that call them, and what is undone, one soon after the other. Drawn apart.
 */
export function withDenials(seed: string, plan: Plan): Plan {
  const draw = drawing(seededRandom(`denied ${seed}`));
  if (!draw.chance(0.2)) return plan;
  const chains = Array.from({ length: 1 + draw.upTo(3) }, () => {
    let at = FIRST_DENIAL + draw.upTo(7_000);
    const later = (most: number) => (at += draw.upTo(most));
    const events: Plan['operator'] = [];
    const then = (does: Plan['operator'][number]['does'], share: number) => {
      if (draw.chance(share)) events.push({ at: later(2_000), does });
    };
    then('deny', 0.8);
    then(draw.pick(['withdraw', 'sync', 'suppress', 'withdraw']), 0.6);
    then('elsewhere', 0.4);
    const last: DenialEvent[] = draw.chance(0.7) ? ['find', 'undo'] : ['undo', 'find'];
    for (const does of last) then(does, 0.7);
    then('find', 0.3);
    return events;
  }).flat();
  return {
    ...plan,
    dials: { ...plan.dials, lostResponse: Math.max(plan.dials.lostResponse, 0.35) },
    webhooks: plan.webhooks ?? {
      ...{ signed: true, lost: 0.1, late: 0.7, lateMs: 30_000, twice: 0.2, forged: 0 },
    },
    idempotentForMs: null,
    operator: [...plan.operator, ...chains],
    calmAt: CALM_AT,
  };
}

/** Some nights with retries in which a result is not retried any more, after people were called. Drawn apart. */
export function withFewerRetries(seed: string, calling: CallingPlan): CallingPlan {
  const draw = drawing(seededRandom(`fewer retries ${seed}`));
  const { policy, retry } = calling.first;
  if (!draw.chance(0.25) || retry === undefined) return calling;
  const left = Object.entries(retry.after).filter(() => draw.chance(0.4));
  const to = { policy, retry: { ...retry, after: Object.fromEntries(left) } };
  return { ...calling, changes: [...calling.changes, { at: 3_000 + draw.upTo(20_000), to }] };
}

/** Dials that are sent again between an older copy of the database and the time at which it comes back. Drawn apart. */
export function withSecondDials(seed: string, plan: Plan): void {
  const draw = drawing(seededRandom(`second dials ${seed}`));
  if (!draw.chance(0.03)) return;
  const copyAt = 1_000 + draw.upTo(6_000);
  const how = draw.pick(['copy', 'backup', 'no journal'] as const);
  plan.restore = { copyAt, at: copyAt + 3_000 + draw.upTo(8_000), how };
  plan.idempotentForMs = 75_000 + draw.upTo(20_000);
  plan.dials.lostRequest = 0.4;
  plan.clockJumps = [];
}
