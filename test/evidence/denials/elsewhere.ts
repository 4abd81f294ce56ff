import type { E164 } from '../../../src/domain/phone.ts';
import type { Store } from '../../../src/store/port.ts';
import { someAnalytics } from '../../helpers/factory.ts';
import { expected } from '../one-run.ts';
import type { Process } from '../world/process.ts';
import { ELSEWHERE } from '../world/template.ts';
import type { World } from '../world.ts';

/** Another campaign of the same database, at a service of its own, calls somebody: best one who was taken out. */
export function callElsewhere(world: World): Promise<void> {
  return command(world, call);
}

/** What that campaign does not know of its calls after an older copy of the database: it gives up asking for it. */
export function sweepElsewhere(world: World): Promise<void> {
  const settings = { reconcileForMs: 0, polling: { floorMs: 0, ceilingMs: 0, deadlineMs: 0 } };
  return command(world, async ({ clock }, _process, store) => {
    await store.sweep({ campaignId: ELSEWHERE, now: clock.now(), settings, gone: [] });
  });
}

type Work = (world: World, process: Process, store: Store) => Promise<void>;

async function command(world: World, work: Work): Promise<void> {
  const process = world.spawn();
  // As the operator's commands, it waits for nobody.
  process.knowsTrouble ||= world.plan.locks.length > 0;
  await Promise.race([process.died, worked(world, process, work)]);
  if (!process.hasEnded()) world.leave(process);
}

async function worked(world: World, process: Process, work: Work): Promise<void> {
  try {
    process.store = world.open(process, 'dial');
    await work(world, process, process.store);
    await process.store.close();
  } catch (error) {
    if (!process.hasEnded()) expected(world, process, error);
  }
}

async function call(world: World, { owner }: Process, store: Store): Promise<void> {
  const [phone, out] = whom(world);
  const now = world.clock.now();
  const name = world.newId();
  const about = { path: `${name}.csv`, sha256: name, headers: ['phone'], at: now };
  const { id } = await store.beginList(ELSEWHERE, { ...about, id: name });
  const zoneKey = world.judge?.everyPlaceOf(phone) ?? '';
  await store.addLeads(id, [{ phone, line: 2, cells: [phone], zoneKey }]);
  await store.finishList(id, { good: 1, rejected: 0, duplicates: 0 });
  const isSuppressed = world.watch.isSuppressed(phone);
  const one = { want: 1, slots: 9, serviceSlots: null, fingerprint: 'other-1', owner };
  const asked = { campaignId: ELSEWHERE, service: 'other', now: world.clock.now(), ...one };
  // A slow disk may tell of a claim long after its commit, and after what was committed since.
  const askedAt = world.now();
  const { intents } = await store.claim(asked);
  for (const { attemptId, phone: dialled } of intents) {
    if (isSuppressed && dialled === phone)
      world.watch.violations.push(`another campaign calls ${phone}, who is suppressed`);
    world.elsewhere.push({ phone: dialled, at: askedAt });
    const at = world.clock.now();
    const answer = { at, detail: '', fingerprint: 'other-1' };
    const callId = `elsewhere_${attemptId}`;
    await store.recordDial(attemptId, { kind: 'placed', ...answer, callId, nextPollAt: at });
    const result = !out && world.random() < 0.5 ? 'opted_out' : 'no_answer';
    if (result === 'opted_out') world.judge?.onSilence(dialled);
    const found = { kind: 'settled', at, callId, result, source: 'derived' } as const;
    await store.recordPoll(attemptId, { ...found, analytics: someAnalytics() });
    if (result === 'opted_out') world.watch.suppressed(dialled);
  }
}

/** The number, and whether it is that of somebody who was taken out. */
function whom(world: World): [E164, boolean] {
  const pick = (of: readonly string[]) => of[Math.floor(world.random() * of.length)] ?? '';
  const out = pick(world.watch.whoWasTakenBack());
  const isOut = out !== '' && world.random() < 0.7;
  return [pick(world.numbersOf(isOut ? out : pick(world.phones))) as E164, isOut];
}
