import { createInbox } from '../../collect/inbox/inbox.ts';
import { messageOf } from '../../runtime/errors.ts';
import { createDeliveryProtocol } from '../../service/webhooks/delivery-protocol.ts';
import type { Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { asSentence } from '../../text/plural.ts';
import { openStored } from '../services/collectors.ts';
import type { ServiceRequest } from '../services/service.ts';

/**
 * Processes deliveries that a listener had received, but not processed, when it was killed: of every service, since
 * nobody knows yet to which campaign they belong.
 */
export async function applyLeftovers(
  store: Store,
  flags: ServiceRequest,
  world: World,
): Promise<void> {
  for (const { service, state } of await store.countDeliveries()) {
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
  flags: ServiceRequest,
  world: World,
): Promise<number> {
  try {
    const { service, profile, close } = await openStored(name, flags, world);
    try {
      // Whether they were signed was found out when they came.
      const protocol = createDeliveryProtocol(profile, []);
      if (protocol === null) return 0;
      const options = { store, service, protocol, feed: new Map(), clock: world.clock };
      const inbox = createInbox({ ...options, notify: () => undefined });
      let processed = 0;
      for (let last = -1; last !== 0; processed += last) last = await inbox.runOnce();
      return processed;
    } finally {
      await close();
    }
  } catch (error) {
    const why = asSentence(messageOf(error));
    world.tell(`Deliveries of ${name} wait for \`callsheet serve\`: ${why}`);
    return 0;
  }
}
