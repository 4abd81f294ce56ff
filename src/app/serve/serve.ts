import { statSync } from 'node:fs';

import type { WebhookCounts } from '../../collect/inbox/deliver.ts';
import type { ListenAt } from '../../collect/inbox/receiver-options.ts';
import { SIMULATED } from '../../config/services-file.ts';
import { messageOf } from '../../runtime/errors.ts';
import type { Store } from '../../store/port.ts';
import type { CommitListener } from '../../store/sql/group-commit.ts';
import { asSentence } from '../../text/wording.ts';
import { startMonitor, type Monitor, type MonitorOptions } from '../monitoring/monitor.ts';
import { withNotices } from '../notices/with-notices.ts';
import { openUnlocked, patiently } from '../places/databases.ts';
import { locateDatabase, requireMayCreate } from '../places/home.ts';
import { foldNotices, type NoticeEvent } from '../run/run-events.ts';
import { openStored } from '../services/known-services.ts';
import { knownServices, type OpenService, type ServiceRequest } from '../services/service.ts';
import { tellUncalled } from '../watch/campaigns.ts';
import { startListener, tellAddresses } from '../webhooks/webhook-listener.ts';
import type { World } from '../world.ts';
import { serveCampaigns } from './serve-campaigns.ts';
import type { ServeOptions, ServeWatch } from './serve-options.ts';

/** A service that could not be opened, e.g. for want of its key, is tried again after this. */
const TRY_AGAIN_MS = 60_000;

interface Pooled {
  /** Undefined: it could not be opened. */
  opened: OpenService | undefined;
  /** Why not, or why its key could not be read again; empty: it was. */
  why: string;
  /** What the file of its key was when that was read. */
  file: string;
  /** On the monotonic clock. */
  at: number;
}

/**
 * The clients of a server, each opened at its first use, and again when the file that holds its key has changed: a key
 * that is replaced takes effect without a restart. A client that was replaced stays open until the end, as calls may be
 * in flight.
 */
export function servicePool(openNamed: (name: string) => Promise<OpenService>, world: World) {
  const pool = new Map<string, Promise<Pooled>>();
  const replaced: OpenService[] = [];

  const openAnew = async (name: string, before: Pooled | undefined): Promise<Pooled> => {
    const at = world.clock.monotonic();
    const file = fileOf(before?.opened);
    try {
      const opened = await openNamed(name);
      const known = before?.opened;
      // Another address or profile is another service: that takes a restart.
      const isSame = known?.service.fingerprint === opened.service.fingerprint;
      const isNew = known === undefined || (isSame && known.config.key !== opened.config.key);
      if (known !== undefined) replaced.push(isNew ? known : opened);
      if (known !== undefined && isNew)
        world.tell(`Service ${name}: its key was read again from ${opened.config.keyAt ?? ''}.`);
      const now = isNew ? opened : known;
      return { opened: now, why: '', file: known === undefined ? fileOf(now) : file, at };
    } catch (error) {
      const why = asSentence(messageOf(error));
      if (before?.why !== why) {
        const is = before?.opened === undefined ? 'is not used' : 'keeps its key';
        world.tell(`Service ${name} ${is}: ${why}`, 'problem');
        world.keepStack(error);
      }
      return { opened: before?.opened, why, file, at };
    }
  };

  const look = async (name: string, known: Promise<Pooled> | undefined): Promise<Pooled> => {
    const before = await known;
    const isDue =
      before?.opened === undefined
        ? world.clock.monotonic() - (before?.at ?? -Infinity) >= TRY_AGAIN_MS
        : fileOf(before.opened) !== before.file;
    return before === undefined || isDue ? openAnew(name, before) : before;
  };

  return {
    /** @returns undefined when it cannot be opened, which was told */
    open: async (name: string): Promise<OpenService | undefined> => {
      // One look after another, so that a service is not opened twice.
      const looking = look(name, pool.get(name));
      pool.set(name, looking);
      return (await looking).opened;
    },
    close: async (): Promise<void> => {
      for (const each of pool.values()) await (await each).opened?.close();
      for (const each of replaced) await each.close();
    },
  };
}

/** What changes when the file of a key is written or replaced; empty: the key comes from the environment. */
function fileOf(opened: OpenService | undefined): string {
  const file = opened?.config.keyFile ?? null;
  if (file === null) return '';
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    return messageOf(error);
  }
}

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
  return withServices(request, world, async (desk) => {
    const { metrics = null } = request;
    const monitor = await startMonitor({ ...desk, stopping: watch.stop.dialling, metrics }, world);
    try {
      return await serveUnderWatch(request, desk, monitor, watch, world);
    } finally {
      await monitor.close();
    }
  });
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
  const store = await openUnlocked(place, world, {
    onCommit: (failed) => heard(failed),
  });
  const onCommit = (listener: CommitListener) => (heard = listener);
  const pool = servicePool(
    (name) => openStored(name, request, world, { flagsChoose: true }),
    world,
  );
  try {
    const services = await servicesOf(request, patiently(store, world), world);
    return await use({ store, onCommit, services, open: pool.open });
  } finally {
    await pool.close();
    await store.close();
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
  const onNotice = (event: NoticeEvent) => onEvent({ ...event, campaign: '' });
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
    await tellUncalled({ db: store.name }, true, world).catch(world.keepStack);
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
