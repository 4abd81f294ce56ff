import { SEARCH_BACK_MS } from '../../domain/polling/search-plan.ts';
import { messageOf } from '../../runtime/errors.ts';
import type { VoiceService } from '../../service/port.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { asSentence } from '../../text/wording.ts';
import { chooseService, openService, type OpenService, type ServiceRequest } from './service.ts';

/**
 * Opens a client for every service that has open calls of the campaign, or calls in doubt. A service that cannot be
 * opened (its entry or key is missing) is reported and left out; its calls stay open.
 *
 * @param lateSince services are included where a call without a result began since then, epoch ms; default: none
 * @param first a client that is already open and is always included
 */
export async function openCollectors(
  store: Store,
  campaign: Pick<Campaign, 'id' | 'service'>,
  first: OpenService | undefined,
  flags: ServiceRequest,
  world: World,
  lateSince = Infinity,
): Promise<{ services: VoiceService[]; close: () => Promise<void> }> {
  const opened: OpenService[] = first === undefined ? [] : [first];
  const own: OpenService[] = [];
  const doubtsSince = world.clock.now() - SEARCH_BACK_MS;
  for (const name of await store.servicesWithOpenCalls(campaign.id, doubtsSince, lateSince)) {
    if (opened.some(({ service }) => service.name === name)) continue;
    try {
      const another = await openStored(name, flags, world, { own: campaign.service });
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

/**
 * Opens a service by the name that the database or services.yaml has for it. A given key file is used only for the
 * given service, or for `own` if no service was given; never for another one.
 *
 * @param known.flagsChoose the given service is opened as the flags say, not as it is stored
 */
export function openStored(
  name: string,
  flags: ServiceRequest,
  world: World,
  { own, flagsChoose = false }: { own?: string; flagsChoose?: boolean } = {},
): Promise<OpenService> {
  const keyUrl = flags.serviceUrl;
  const isChosen = name === (flags.service ?? keyUrl ?? own);
  const keys = isChosen ? flags : { ...flags, keyFile: undefined };
  const known = { stored: name, keyUrl, ...(!(isChosen && flagsChoose) && { choice: {} }) };
  const config = chooseService(keys, world, known);
  return openService(config, flags, world);
}
