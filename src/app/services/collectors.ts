import { SEARCH_BACK_MS } from '../../domain/polling/search-plan.ts';
import { messageOf } from '../../runtime/errors.ts';
import type { VoiceService } from '../../service/port.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { asSentence } from '../../text/plural.ts';
import { chooseService, openService, type OpenService, type ServiceRequest } from './service.ts';

/** The clients that open calls are read with: each where it was placed. */
export interface Collectors {
  services: VoiceService[];
  close(): Promise<void>;
}

/**
 * Opens a client for every service at which calls of the campaign are open or in doubt. One that cannot be opened (its
 * entry is gone, its key is missing) is told and left out; its calls stay open.
 *
 * @param first already open, and among them in any case
 */
export async function openCollectors(
  store: Store,
  campaign: Pick<Campaign, 'id' | 'service'>,
  first: OpenService | undefined,
  flags: ServiceRequest & { db?: string | undefined },
  world: World,
): Promise<Collectors> {
  const opened: OpenService[] = first === undefined ? [] : [first];
  const own: OpenService[] = [];
  const doubtsSince = world.clock.now() - SEARCH_BACK_MS;
  for (const name of await store.servicesWithOpenCalls(campaign.id, doubtsSince)) {
    if (opened.some(({ service }) => service.name === name)) continue;
    try {
      const config = chooseService(keysOf(name, campaign.service, flags), world, {
        choice: {},
        stored: name,
        keyUrl: flags.serviceUrl,
      });
      const another = await openService(config, flags, world);
      own.push(another);
      opened.push(another);
    } catch (error) {
      world.tell(
        `Calls placed at ${name} cannot be read now: ${asSentence(messageOf(error))}`,
        'problem',
      );
    }
  }
  return {
    services: opened.map(({ service }) => service),
    close: async () => {
      for (const { close } of own) await close();
    },
  };
}

/** A key file that was given belongs to the service that was given, else to the campaign's own; to no other. */
function keysOf(name: string, own: string, flags: ServiceRequest): ServiceRequest {
  const chosen = flags.service ?? flags.serviceUrl ?? own;
  return name === chosen ? flags : { ...flags, keyFile: undefined };
}
