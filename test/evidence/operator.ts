import type { E164 } from '../../src/domain/phone.ts';
import type { CampaignChange, Store } from '../../src/store/port.ts';
import { aPhone } from '../helpers/factory.ts';
import { withCalling } from './calling/calling-night.ts';
import type { CallingPlan, CallingSettings } from './calling/calling-plan.ts';
import { rowOf } from './calling/persons.ts';
import { campaignOf, expected } from './one-run.ts';
import type { Plan } from './plan.ts';
import type { Process } from './world/process.ts';
import { statementOf } from './world/statement-of.ts';
import type { World } from './world.ts';

type LaterList = CallingPlan['lists'][number];
type Does = Plan['operator'][number]['does'] | CallingSettings | LaterList;

const BEST_KNOWN = "SELECT phone FROM leads ORDER BY state = 'calling' DESC, row LIMIT 1";

const BEST_DOUBTED = `SELECT leads.phone FROM leads LEFT JOIN attempts ON lead_row = leads.row
  ORDER BY attempts.state = 'unknown' DESC, leads.state = 'calling' DESC, leads.row LIMIT 1`;

/** As the history names them. */
const DONE = { pause: 'paused', resume: 'resumed', cancel: 'cancelled' };

const CHANGES: Record<'pause' | 'resume' | 'cancel', CampaignChange> = {
  pause: { pause: { reason: 'operator', detail: 'lunch' } },
  resume: { state: 'running' },
  cancel: { state: 'cancelled' },
};

/** The operator's commands come from a process of its own beside the runners, one after the other. */
export async function operate(world: World, does: Does): Promise<void> {
  const process = world.operator();
  const before = process.busy;
  process.busy = before.then(() => command(world, process, does));
  await Promise.race([process.died, process.busy]);
}

async function command(world: World, process: Process, does: Does): Promise<void> {
  try {
    process.store ??= world.open(process, 'write');
    if (does === 'withdraw' || does === 'sync') {
      await takeBack(world, process.store, does);
      return;
    }
    if (does === 'deny') {
      await deny(world, process.store);
      return;
    }
    if (does === 'undo') {
      await undo(world, process.store);
      return;
    }
    if (does === 'suppress') {
      await suppress(world, process.store);
      return;
    }
    const { id, state, settings } = await campaignOf(process.store);
    if (typeof does === 'object' && 'rows' in does) {
      await importList(world, process.store, id, does);
      return;
    }
    if (does === 'resume' && state !== 'paused') return;
    const isSet = typeof does === 'object';
    const change = isSet ? { settings: withCalling(settings, does) } : CHANGES[does];
    const what = `campaign.${isSet ? 'set' : DONE[does]}`;
    const entry = { at: world.clock.now(), who: 'operator', what, detail: {} };
    await process.store.changeCampaign(id, change, entry);
  } catch (error) {
    if (!process.hasEnded()) expected(world, process, error);
    // The next command opens the database anew, at once: a connection that a failing disk has broken stays broken.
    const broken = process.store;
    process.store = undefined;
    await broken?.close().catch(() => undefined);
  }
}

/** Somebody of the list asks not to be called any more: best one who is being called, and may wait again. */
async function suppress(world: World, store: Store): Promise<void> {
  const called = world.look((db) => statementOf(db, BEST_KNOWN).get() as { phone: E164 });
  const anybody = aPhone(Math.floor(world.random() * world.plan.leads));
  const own = world.random() < 0.5 ? anybody : called.phone;
  const further = world.plan.calling?.people[world.phones.indexOf(own)]?.alternatives[0]?.phone;
  const phone = further !== undefined && world.random() < 0.5 ? further : own;
  const entry = { phone, at: world.clock.now(), source: 'operator' as const, note: null };
  world.judge?.onSilence(phone);
  await store.suppress([{ ...entry, who: 'operator', expiresAt: null }]);
  world.watch.suppressed(phone);
}

/** Best somebody whose call is in doubt: what would be sent again is not sent. */
async function takeBack(world: World, store: Store, does: 'withdraw' | 'sync'): Promise<void> {
  const { id } = await campaignOf(store);
  const { phone } = world.look((db) => statementOf(db, BEST_DOUBTED).get() as { phone: E164 });
  if (does === 'sync') await store.cancelWaiting(id, [phone], 'left_list');
  else {
    const entry = { at: world.clock.now(), who: 'operator', what: 'lead.cancelled', detail: {} };
    const found = await store.cancelLead(id, phone, entry);
    if (found === 'done') return;
  }
  world.watch.takenBack(phone);
}

/** Wrongly perhaps: the call may be found later, but the person was withdrawn. */
async function deny(world: World, store: Store): Promise<void> {
  const { id } = await campaignOf(store);
  const doubts = await store.doubts(id);
  const doubt = doubts.find(({ resolution }) => resolution === null);
  const phone = doubt?.lead.state === 'waiting' ? undefined : doubt?.phone;
  if (doubt === undefined || phone === undefined) return;
  world.service.ledger.denied.add(phone);
  const entry = { at: world.clock.now(), who: 'operator', what: 'lead.cancelled', detail: {} };
  const record = { as: 'not_placed', at: entry.at, by: 'operator', note: null } as const;
  if ((await store.resolve(doubt.attemptId, record)).kind === 'refused') return;
  if ((await store.cancelLead(id, phone, entry)) !== 'done') world.watch.takenBack(phone);
}

async function undo(world: World, store: Store): Promise<void> {
  const { id } = await campaignOf(store);
  const [phone] = world.watch.whoWasTakenBack();
  if (phone === undefined) return;
  const entry = { at: world.clock.now(), who: 'operator', what: 'cancel.undone', detail: {} };
  world.watch.isBack(phone);
  const { kind } = await store.undoCancelLead(id, phone as E164, entry);
  if (kind !== 'undone') world.watch.takenBack(phone);
}

/** People of the first list in another place, or new ones. Interrupted, it is done again later, as people would. */
async function importList(
  { phones, clock, plan, watch }: World,
  store: Store,
  campaignId: string,
  { name, rows }: LaterList,
): Promise<void> {
  const headers = ['name', 'phone', 'id'];
  const about = { path: `${name}.csv`, sha256: name, headers, at: clock.now() };
  const { id, finishedAt } = await store.beginList(campaignId, { ...about, id: name });
  if (finishedAt !== null) return;
  const leads = rows.map(({ lead, zoneKey }, i) => {
    const phone = phones[lead] as E164;
    const { cells, person } = rowOf(plan.calling?.people[lead]?.named, phone);
    return { phone, line: i + 2, cells, zoneKey, ...(person && { person }) };
  });
  // Who has left a list is on a later one again.
  for (const { phone } of leads) watch.isBack(phone);
  await store.addLeads(id, leads);
  await store.finishList(id, { good: 0, rejected: 0, duplicates: leads.length });
}
