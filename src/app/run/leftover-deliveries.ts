import { CallFeed } from '../../collect/polling/call-feed.ts';
import { Inbox } from '../../collect/inbox/inbox.ts';
import { PollScheduler } from '../../domain/polling/poll-scheduler.ts';
import { messageOf } from '../../runtime/errors.ts';
import { createDeliveryProtocol } from '../../service/webhooks/deliveries.ts';
import type { Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { asSentence } from '../../text/plural.ts';
import { chooseService, openService, type ServiceRequest } from '../services/service.ts';

/** Nothing is polled here, but an inbox needs a scheduler. */
const NO_POLLING = { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 };

/**
 * Processes deliveries that a listener had received, but not processed, when it was killed: of every service, since
 * nobody knows yet to which campaign they belong.
 */
export async function applyLeftovers(store: Store, flags: Flags, world: World): Promise<void> {
  const counts = await store.countDeliveries();
  for (const { service, state } of counts) {
    if (state !== 'received') continue;
    const processed = await applyReceived(service, store, flags, world);
    if (processed > 0)
      world.tell(`Deliveries of ${service} that had not been processed yet: ${processed}.`);
  }
}

/** Processes what was received of a service; where that cannot be opened, this is told. @returns how many */
export async function applyReceived(
  name: string,
  store: Store,
  flags: Flags,
  world: World,
): Promise<number> {
  try {
    return await applyThose(name, store, flags, world);
  } catch (error) {
    const why = asSentence(messageOf(error));
    world.tell(`Deliveries of ${name} wait for \`callsheet serve\`: ${why}`);
    return 0;
  }
}

type Flags = ServiceRequest & { db?: string | undefined };

async function applyThose(name: string, store: Store, flags: Flags, world: World): Promise<number> {
  const keyUrl = flags.serviceUrl;
  const isGiven = name === (flags.service ?? keyUrl);
  const own = isGiven ? flags : { ...flags, keyFile: undefined };
  const config = chooseService(own, world, { choice: {}, stored: name, keyUrl });
  const opened = await openService(config, flags, world);
  try {
    // Whether they were signed was found out when they came.
    const protocol = createDeliveryProtocol(opened.profile, []);
    if (protocol === null) return 0;
    const plan = new PollScheduler(NO_POLLING);
    const notify = () => undefined;
    const { service } = opened;
    const { clock } = world;
    const inbox = new Inbox({
      store,
      service,
      protocol,
      feed: new CallFeed(),
      plan,
      clock,
      notify,
    });
    let processed = 0;
    for (let last = -1; last !== 0; processed += last) last = await inbox.runOnce();
    return processed;
  } finally {
    await opened.close();
  }
}
