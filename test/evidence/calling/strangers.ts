import type { ExportedLead } from '../invariants.ts';
import type { Plan } from '../plan.ts';
import type { Allowed } from './allowed.ts';
import type { WhoIsWho } from './persons.ts';

/** What a night leaves, as far as it says who was held. */
export interface Held {
  plan: Pick<Plan, 'operator' | 'restore'>;
  who: WhoIsWho;
  rows: readonly ExportedLead[];
  allowed: readonly Allowed[];
  /** Numbers at which somebody has asked, or may have asked, not to be called. */
  silent: ReadonlySet<string>;
}

const NOT_CALLED = ['cancelled', 'expired', 'suppressed'];

/**
 * Whom the campaign gave up without one dial, although neither their own number nor the operator explains it: the calls
 * or the words of a stranger held them. Said only where nothing else can be the cause.
 */
export function strangersHeld({ plan, who, rows, allowed, silent }: Held): string[] {
  const ends = ['cancel', 'withdraw', 'sync', 'deny', 'undo', 'elsewhere'];
  const mayBeOver = plan.operator.some(({ does }) => ends.includes(does)) || plan.restore !== null;
  if (mayBeOver) return [];
  const isDialled = (number: string) => allowed.some(({ phone }) => phone === number);
  return rows.flatMap(({ call_phone: phone, call_state: state, call_result: result }) => {
    if (state !== 'done' || !NOT_CALLED.includes(result ?? '')) return [];
    // Somebody with several rows is called through one of them.
    const isAlone = rows.every(
      (row) => row.call_phone === phone || !who.isOne(row.call_phone, phone),
    );
    const hasAsked = [phone, ...who.furtherOf(phone)].some(
      (number) => silent.has(number) && (number === phone || who.isTheirsAlone(phone, number)),
    );
    if (!isAlone || isDialled(phone) || hasAsked) return [];
    return [`${phone} was never dialled and is ${result ?? ''}, held by a stranger`];
  });
}
