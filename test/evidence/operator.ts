import type { E164 } from '../../src/domain/phone.ts';
import type { CampaignChange, Store } from '../../src/store/port.ts';
import { aPhone } from '../helpers/factory.ts';
import { withCalling } from './calling/calling-night.ts';
import type { CallingPlan, CallingSettings } from './calling/calling-plan.ts';
import { rowOf } from './calling/persons.ts';
import { campaignOf, expected } from './one-run.ts';
import type { Plan } from './plan.ts';
import { deny, find, undo } from './denials/denials.ts';
import type { Process } from './world/process.ts';
import { CAMPAIGN } from './world/template.ts';
import { statementOf } from './world/statement-of.ts';
import type { World } from './world.ts';

type LaterList = CallingPlan['lists'][number];
type Does = Exclude<Plan['operator'][number]['does'], 'elsewhere'> | CallingSettings | LaterList;

const IS_DENIED =
  "attempts.state = 'unconfirmed' AND leads.state <> 'done' AND resolution = 'not_placed'";
const BEST = (inDoubt: string) => `SELECT leads.phone FROM leads
  LEFT JOIN attempts ON lead_row = leads.row AND attempts.state IN ('unknown', 'unconfirmed')
  WHERE leads.campaign_id = '${CAMPAIGN}' ORDER BY coalesce(${IS_DENIED}, false) DESC, ${inDoubt}
    leads.state = 'calling' DESC, leads.state = 'done', leads.row LIMIT 1`;
const BEST_KNOWN = BEST('');
const BEST_DOUBTED = BEST("coalesce(attempts.state = 'unknown', false) DESC,");

/** As the history names them. */
const DONE = { pause: 'paused', resume: 'resumed', cancel: 'cancelled' };

const CHANGES: Record<'pause' | 'resume' | 'cancel', CampaignChange> = {
  pause: { pause: { reason: 'operator', detail: 'lunch' } },
  resume: { state: 'running', resumes: true },
  cancel: { state: 'cancelled' },
};

const DENIALS = { deny: denyAndTakeOut, find, undo };

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
    if (does === 'deny' || does === 'find' || does === 'undo') {
      await DENIALS[does](world, process.store);
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
  world.watch.takenBack(phone, does === 'sync' ? Infinity : world.now());
}

/** Half of those whose call is denied are taken out at once: they would be called again. */
async function denyAndTakeOut(world: World, store: Store): Promise<void> {
  if (!(await deny(world, store))) return;
  const draw = world.random();
  if (draw < 0.25) await takeBack(world, store, 'withdraw');
  else if (draw < 0.4) await takeBack(world, store, 'sync');
  else if (draw < 0.5) await suppress(world, store);
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
  for (const { phone } of leads) watch.mayReturn(phone);
  await store.addLeads(id, leads);
  await store.finishList(id, { good: 0, rejected: 0, duplicates: leads.length });
  for (const { phone } of leads) watch.hasReturned(phone);
}
