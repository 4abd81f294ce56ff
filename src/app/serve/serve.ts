import type { ListenAt } from '../../collect/inbox/receiver-options.ts';
import type { WebhookCounts } from '../../collect/inbox/webhook-counts.ts';
import { SIMULATED } from '../../config/services-file.ts';
import { messageOf } from '../../runtime/errors.ts';
import type { Store } from '../../store/port.ts';
import type { CommitListener } from '../../store/sqlite/group-commit.ts';
import { asSentence } from '../../text/plural.ts';
import { locateDatabase } from '../places/database-place.ts';
import { openUnlocked, requireMayCreate } from '../places/databases.ts';
import { startMonitor, type Monitor, type MonitorOptions } from '../monitoring/monitor.ts';
import { withNotices } from '../notices/with-notices.ts';
import { openStored } from '../services/collectors.ts';
import { knownServices, type ServiceRequest } from '../services/service.ts';
import { startListener, tellAddresses } from '../webhooks/webhook-listener.ts';
import { tellUncalled } from '../watch/campaigns.ts';
import type { World } from '../world.ts';
import { foldNotices, type NoticeEvent } from '../run/fold-notices.ts';
import { serveCampaigns } from './serve-campaigns.ts';
import { servicePool } from './service-pool.ts';
import type { ServeOptions, ServeWatch } from './serve-options.ts';

export interface ServeRequest extends ServiceRequest {
  listenAt: ListenAt;
  /** Where metrics are served; left out: nowhere. */
  metrics?: MonitorOptions['metrics'];
}

/** A server's database, and the services that are known at its start. */
type ServeDesk = Pick<ServeOptions, 'store' | 'open'> &
  Pick<MonitorOptions, 'onCommit'> & { services: readonly string[] };

/**
 * Receives webhooks, calls every campaign that was started and collects results, until it is stopped.
 *
 * @returns how many deliveries ended in each state
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
  requireMayCreate(place, world, request.service !== SIMULATED, { callsNobody: true });
  let heard: CommitListener = () => undefined;
  const store = await openUnlocked(place.path, world, {
    onCommit: (failed) => {
      heard(failed);
    },
  });
  const onCommit = (listener: CommitListener) => (heard = listener);
  const pool = servicePool(
    (name) => openStored(name, request, world, { flagsChoose: true }),
    world,
  );
  try {
    const services = await servicesOf(request, store, world);
    return await use({ store, onCommit, services, open: pool.open });
  } finally {
    await pool.close();
    await store.close();
  }
}

async function listenAndServe(
  request: ServeRequest,
  desk: ServeDesk,
  watch: ServeWatch,
  world: World,
) {
  const { metrics = null } = request;
  const stopping = watch.stop.dialling;
  const monitor = await startMonitor({ ...desk, stopping, metrics }, world);
  try {
    return await serveUnderWatch(request, desk, monitor, watch, world);
  } finally {
    await monitor.close();
  }
}

async function serveUnderWatch(
  request: ServeRequest,
  { services, open }: ServeDesk,
  monitor: Monitor,
  watch: ServeWatch,
  world: World,
) {
  const { onEvent } = watch;
  const { listenAt } = request;
  const { store, health, lost } = monitor;
  const onNotice = (event: NoticeEvent) => {
    onEvent({ ...event, campaign: '' });
  };
  const notices = foldNotices(watch.log, onNotice, world.clock);
  const listener = await startListener({ store, listenAt, notices, health }, world);
  onEvent({ is: 'begun' });
  // A service that only a campaign begun later uses gets its webhook address then.
  const tried = new Set<string>();
  const openAndAdd = async (name: string) => {
    const found = await open(name);
    const opened = found && monitor.observed(found);
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
    await tellUncalled({ db: store.location }, true, world).catch(world.keepStack);
    monitor.ready();
    const openForCampaign = async (name: string) => {
      try {
        return await openAndAdd(name);
      } catch (error) {
        world.tell(`No webhooks of ${name}: ${asSentence(messageOf(error))}`, 'problem');
        world.keepStack(error);
        const found = await open(name);
        return found && monitor.observed(found);
      }
    };
    const { feed } = listener;
    const { log, stop } = watch;
    const more = {
      services: request.services,
      onRound: monitor.round,
      open: openForCampaign,
    };
    await withNotices({ store, flags: request, log, stop, serves: true }, world, (noticeWatch) =>
      serveCampaigns({ ...watch, store, lost, feed, noticeWatch, ...more }, world),
    );
  } finally {
    await listener.close();
  }
  return listener.counts.toJSON();
}

/** Names of services: the given one first, then those of services.yaml, then those of campaigns. */
async function servicesOf(request: ServeRequest, store: Store, world: World): Promise<string[]> {
  const given = request.service ?? request.serviceUrl;
  const named = [...knownServices(request, world).entries.keys()];
  const campaigns = await store.listCampaigns();
  const all = [
    given,
    ...named.filter((name) => name !== SIMULATED),
    ...campaigns.filter(({ state }) => state === 'running').map(({ service }) => service),
  ];
  return [...new Set(all.filter((name) => name !== undefined))];
}
