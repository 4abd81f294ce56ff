import type { CallFeed } from '../../src/collect/polling/poller.ts';
import { createInbox, type Inbox } from '../../src/collect/inbox/inbox.ts';
import { runCampaign } from '../../src/run-campaign.ts';
import { AppError } from '../../src/runtime/errors.ts';
import type { DeliveryProtocol } from '../../src/service/port.ts';
import { lockOf, patientStore } from '../../src/store/patient-store.ts';
import type { Campaign, Store } from '../../src/store/port.ts';
import { takenAtItsWord } from './world/kept.ts';
import { Gone, type Process } from './world/process.ts';
import { protocolOf, type Delivery } from './world/sender.ts';
import type { World } from './world.ts';

const NEVER = new AbortController().signal;

/** One `run` of the program. @returns when it is to be run again, epoch ms; null: it does not say */
export async function runOnce(world: World, process: Process): Promise<number | null> {
  let store: Store | undefined;
  let nextAt: number | null = null;
  try {
    // As in the commands that dial do: whoever holds the database is waited for, by all that goes on.
    const patience = { clock: process.clock, notify: () => undefined, stop: NEVER };
    const opening = () => world.open(process, 'dial');
    const opened = await lockOf(world.path, patience).outwait(opening);
    store = patientStore(opened, patience);
    const campaign = await campaignOf(store);
    const service = world.service.seenBy(process);
    const { signal } = new AbortController();
    const listening = listen(world, process, store);
    ({ nextAt } = await runCampaign({
      store: takenAtItsWord(
        store,
        () => world.kept,
        (callId) => {
          world.settled(callId);
        },
      ),
      campaign,
      dialAt: { service, maxCalls: null },
      collectFrom: [service],
      clock: process.clock,
      owner: process.owner,
      isGone: (owner) => world.isGone(owner, process.owner.host),
      limit: null,
      until: null,
      waitUntil: null,
      notify: () => undefined,
      stopDialling: signal,
      stop: signal,
      feed: listening?.feed,
    }));
    await listening?.end();
  } catch (error) {
    if (!process.hasEnded()) expected(world, process, error);
  }
  if (process.hasEnded()) return null;
  await store?.close().catch((error: unknown) => {
    expected(world, process, error);
  });
  world.leave(process);
  return nextAt;
}

/** A machine whose dial journal the others wait for is started, and shows it. */
export async function showJournals(world: World): Promise<void> {
  for (const machine of world.server?.awaited(world.path) ?? []) {
    const process = world.spawn(machine);
    // It is started again later.
    process.knowsTrouble ||= world.plan.locks.length > 0;
    try {
      await world.open(process, 'dial').close();
    } catch (error) {
      if (!process.hasEnded()) expected(world, process, error);
    }
    if (!process.hasEnded()) world.leave(process);
  }
}

/** The campaign that all templates hold. */
export async function campaignOf(store: Store): Promise<Campaign> {
  const campaign = await store.findCampaign('spring');
  if (campaign === undefined) throw new Error('the campaign is gone');
  return campaign;
}

/** What the program may end with when the disk fails; anything else is a defect. */
export function expected(world: World, process: Process, error: unknown): void {
  if (error instanceof Gone) return;
  if (process.knowsTrouble && error instanceof AppError) return;
  world.watch.violations.push(
    `the program failed: ${String(error instanceof Error ? error.stack : error)}`,
  );
}

/** Receives what the service sends by itself while it runs, as `run --webhooks` does. */
function listen(world: World, process: Process, store: Store) {
  const { plan, sender } = world;
  if (plan.webhooks === null || sender === undefined) return undefined;
  const { clock } = process;
  const protocol = protocolOf(plan.webhooks);
  const feed: CallFeed = new Map();
  const inbox = createInbox({
    store,
    service: world.service.seenBy(process),
    protocol,
    feed,
    clock,
    notify: () => undefined,
  });
  const stopping = new AbortController();
  const running = inbox.run(stopping.signal);
  process.receive = (delivery) => receive(delivery, { world, process, store, protocol, inbox });
  return {
    feed,
    end: async () => {
      // Once there is no trouble any more somebody listens until all has come.
      while (world.isCalm && sender.pending > 0) await clock.sleep(500);
      process.receive = undefined;
      stopping.abort();
      await running;
      await inbox.runOnce().catch(() => 0);
    },
  };
}

/** What the receiver does with a delivery; the status of its answer. */
async function receive(
  { headers, body }: Delivery,
  to: { world: World; process: Process; store: Store; protocol: DeliveryProtocol; inbox: Inbox },
): Promise<number> {
  const { world, process, store, protocol, inbox } = to;
  await process.reach();
  const receivedAt = process.clock.now();
  const verdict = protocol.verify(headers, body, receivedAt);
  if (verdict.kind === 'refused') return 401;
  try {
    await store.inboxPut({
      id: world.newId(),
      service: 'main',
      key: protocol.idOf(headers, body) ?? 'none',
      receivedAt,
      headers: protocol.headersToKeep(headers),
      body,
      signed: verdict.kind === 'signed',
    });
  } catch {
    return 503;
  }
  inbox.wake();
  await process.reach();
  return 200;
}
