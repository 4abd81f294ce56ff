import type { E164 } from '../../../src/domain/phone.ts';
import { attemptId } from '../../../src/store/sql/tables/attempt-rows.ts';
import type { Store } from '../../../src/store/port.ts';
import { campaignOf } from '../one-run.ts';
import { statementOf } from '../world/statement-of.ts';
import type { World } from '../world.ts';

const OF_KEY = `SELECT seq FROM attempts WHERE key = ? AND state = 'unconfirmed'`;

/** Wrongly perhaps: the call may be found later. @returns true: it counts as not made */
export async function deny(world: World, store: Store): Promise<boolean> {
  const { ledger } = world.service;
  const { id } = await campaignOf(store);
  const rang = (key: string) => ledger.calls.some((call) => call.key === key);
  const at = world.clock.now();
  const [doubt] = (await store.doubts(id))
    .filter(({ resolution, lead }) => resolution === null && lead.state !== 'waiting')
    .filter(({ holdsUntil }) => holdsUntil <= at)
    .toSorted((a, b) => Number(rang(b.key)) - Number(rang(a.key)));
  if (doubt === undefined) return false;
  // An older copy of the database may have forgotten the first time.
  const isFirst = !ledger.denied.has(doubt.key);
  if (isFirst) ledger.denied.set(doubt.key, world.now());
  const record = { as: 'not_placed', at, by: 'operator', note: null } as const;
  if ((await store.resolve(doubt.attemptId, record)).kind === 'resolved') return true;
  if (isFirst) ledger.denied.delete(doubt.key);
  return false;
}

/** The operator finds a call that was denied in the service's own log. */
export async function find(world: World, store: Store): Promise<void> {
  const { ledger } = world.service;
  const call = ledger.calls.find(({ key }) => ledger.denied.has(key) && !ledger.found.has(key));
  if (call === undefined) return;
  const found = world.look((db) => statementOf(db, OF_KEY).get(call.key)) as
    { seq: number } | undefined;
  if (found === undefined) return;
  const { callId } = call;
  ledger.told.add(callId);
  const record = { as: 'placed', at: world.clock.now(), by: 'operator', note: null } as const;
  const { kind } = await store.resolve(attemptId(found.seq), { ...record, callId });
  if (kind === 'resolved') world.kept.placed.add(callId);
}

/** Whom another campaign has called since they were taken out does not come back. */
export async function undo(world: World, store: Store): Promise<void> {
  const { id } = await campaignOf(store);
  const out = world.watch.whoWasTakenBack();
  const phone = out[Math.floor(world.random() * out.length)];
  if (phone === undefined) return;
  const entry = { at: world.clock.now(), who: 'operator', what: 'cancel.undone', detail: {} };
  const since = world.watch.mayReturn(phone);
  const askedAt = world.now();
  const { kind } = await store.undoCancelLead(id, phone as E164, entry);
  if (kind !== 'undone') {
    world.watch.takenBack(phone, since);
    return;
  }
  const numbers = world.numbersOf(phone);
  // The answer may come long after the change: meanwhile others may have called.
  const called = world.elsewhere.find(
    ({ at, phone: theirs }) => at > since && at <= askedAt && numbers.includes(theirs),
  );
  if (called !== undefined)
    world.watch.violations.push(
      `${phone} is back, although another campaign has called ${called.phone} at ${called.at} ms`,
    );
}
