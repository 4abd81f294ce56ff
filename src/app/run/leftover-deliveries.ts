import { createInbox } from '../../collect/inbox/inbox.ts';
import { messageOf } from '../../runtime/errors.ts';
import { createDeliveryProtocol } from '../../service/webhooks/delivery-protocol.ts';
import type { Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { asSentence } from '../../text/plural.ts';
import { openStored } from '../services/collectors.ts';
import type { ServiceRequest } from '../services/service.ts';

/**
 * Processes deliveries that a listener had received but not yet processed when it was killed. This covers every
 * service, because the campaign of such a delivery is not known yet.
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

/** Processes a service's received deliveries; tells if it cannot be opened. @returns how many were processed */
export async function applyReceived(
  name: string,
  store: Store,
  flags: ServiceRequest,
  world: World,
): Promise<number> {
  try {
    const { service, profile, close } = await openStored(name, flags, world);
    try {
      // Signatures were checked on arrival, so no secrets are needed here.
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
