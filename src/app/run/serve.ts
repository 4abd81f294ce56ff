import type { WebhookCounts } from '../../collect/inbox/webhook-counts.ts';
import { SIMULATED } from '../../config/services-file.ts';
import { messageOf } from '../../runtime/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { asSentence } from '../../text/plural.ts';
import { locateDatabase } from '../places/database-place.ts';
import { openStore, requireMayCreate } from '../places/databases.ts';
import {
  chooseService,
  knownServices,
  openService,
  type OpenService,
  type ServiceRequest,
} from '../services/service.ts';
import {
  startListener,
  tellAddresses,
  type ListenAt,
  type Listener,
} from '../webhooks/webhook-listener.ts';
import type { World } from '../world.ts';
import { foldNotices, type NoticeEvent } from './fold-notices.ts';
import type { RunBounds, StopSignals } from './run-events.ts';
import { serveCampaigns } from './serve-campaigns.ts';

export interface ServeRequest extends ServiceRequest {
  db?: string | undefined;
  listenAt: ListenAt;
}

export type ServeEvent =
  /** What is stopped from now on is told. */
  | { is: 'begun' }
  /** Webhooks are received from now on. */
  | { is: 'listening'; addresses: Listener['addresses'] }
  /** Calls of a campaign may begin now. */
  | { is: 'calling'; campaign: Campaign; bounds: RunBounds }
  /** `campaign` is its name; empty: it is about a delivery. */
  | (NoticeEvent & { campaign: string });

export interface ServeWatch {
  log: Log;
  stop: StopSignals;
  onEvent: (event: ServeEvent) => void;
}

/** What a server works with: its database, and the services that are known when it begins. */
export interface ServeDesk {
  store: Store;
  services: readonly string[];
  /** The client of a service, opened at its first use; undefined where it cannot be, which was told. */
  open: (service: string) => Promise<OpenService | undefined>;
}

/**
 * Receives webhooks, calls every campaign that was started and collects results, until it is stopped.
 *
 * @returns how many deliveries came, by what became of them
 * @throws AppError those of `startListener` and of opening the database
 */
export function serve(
  request: ServeRequest,
  watch: ServeWatch,
  world: World,
): Promise<ReturnType<WebhookCounts['toJSON']>> {
  return withServices(request, world, (desk) => listenAndServe(request, desk, watch, world));
}

/** Opens the database and, at their first use, the services; closes all of them in the end. */
export async function withServices<T>(
  request: ServeRequest,
  world: World,
  use: (desk: ServeDesk) => Promise<T>,
): Promise<T> {
  const place = locateDatabase(request, world, request.service === SIMULATED);
  requireMayCreate(place, world, request.service !== SIMULATED);
  const store = openStore(place.path, 'dial', world);
  const pool = new Map<string, Promise<OpenService | undefined>>();
  try {
    const services = await servicesOf(request, store, world);
    const open = (name: string) => {
      const known = pool.get(name) ?? openNamed(name, request, world);
      pool.set(name, known);
      return known;
    };
    return await use({ store, services, open });
  } finally {
    for (const opened of pool.values()) await (await opened)?.close();
    await store.close();
  }
}

async function listenAndServe(
  { listenAt }: ServeRequest,
  { store, services, open }: ServeDesk,
  { log, stop, onEvent }: ServeWatch,
  world: World,
) {
  const onNotice = (event: NoticeEvent, campaign = '') => {
    onEvent({ ...event, campaign });
  };
  const notices = foldNotices(log, onNotice, world.clock);
  const listener = await startListener({ store, listenAt, notices }, world);
  onEvent({ is: 'begun' });
  // A service of a campaign that was begun meanwhile gets its address, too.
  const tried = new Set<string>();
  const openAndAdd = async (name: string) => {
    const opened = await open(name);
    if (opened === undefined || tried.has(name)) return opened;
    tried.add(name);
    await listener.add(opened);
    return opened;
  };
  try {
    for (const name of services) await openAndAdd(name);
    onEvent({ is: 'listening', addresses: listener.addresses });
    tellAddresses(listener, world);
    if (listener.addresses.length === 0)
      world.tell('No service has webhooks: only calling and collecting.');
    await serveCampaigns(
      {
        ...{ store, log, stop, onNotice },
        feed: listener.feed,
        open: async (name) => {
          try {
            return await openAndAdd(name);
          } catch (error) {
            world.tell(`No webhooks of ${name}: ${asSentence(messageOf(error))}`, 'problem');
            world.keepStack(error);
            return open(name);
          }
        },
        onCalling: (campaign, bounds) => {
          onEvent({ is: 'calling', campaign, bounds });
        },
      },
      world,
    );
  } finally {
    await listener.close();
  }
  return listener.counts.toJSON();
}

/** The one that is named first, those of services.yaml, those of campaigns. */
async function servicesOf(request: ServeRequest, store: Store, world: World): Promise<string[]> {
  const given = request.service ?? request.serviceUrl;
  const named = [...knownServices(request, world).entries.keys()];
  const campaigns = await store.listCampaigns();
  const all = [
    ...(given === undefined ? [] : [given]),
    ...named.filter((name) => name !== SIMULATED),
    ...campaigns.filter(({ state }) => state === 'running').map(({ service }) => service),
  ];
  return [...new Set(all)];
}

async function openNamed(
  name: string,
  request: ServeRequest,
  world: World,
): Promise<OpenService | undefined> {
  try {
    const keyUrl = request.serviceUrl;
    const own = name === (request.service ?? keyUrl);
    const flags = own ? request : { ...request, keyFile: undefined };
    const choice = own ? undefined : {};
    const config = chooseService(flags, world, { choice, stored: name, keyUrl });
    return await openService(config, request, world);
  } catch (error) {
    world.tell(`Service ${name} is not used: ${asSentence(messageOf(error))}`, 'problem');
    world.keepStack(error);
    return undefined;
  }
}
