import type { Campaign } from '../../store/port.ts';
import type { StopSignals } from '../run/run-events.ts';
import type { World } from '../world.ts';
import type { ServeOptions } from './serve-options.ts';

/**
 * Lets runs follow the keys of their services: a run in progress is ended when its service has another key, and begins
 * again with that one; a campaign that was paused because its key was refused goes on once the service takes another.
 */
export function watchKeys({ store, open, stop }: ServeOptions, world: World) {
  /** The key of the last run, or of the last test, by campaign. */
  const used = new Map<string, string | null | undefined>();
  const runs = new Map<string, AbortController>();

  const isUsed = async ({ id, service }: Campaign): Promise<boolean> => {
    const opened = await open(service);
    return opened === undefined || (used.has(id) && used.get(id) === opened.config.key);
  };

  return {
    /** To be called before a run. @returns the signals that stop it */
    begins: async ({ id, service }: Campaign): Promise<StopSignals> => {
      used.set(id, (await open(service))?.config.key);
      const halt = new AbortController();
      runs.set(id, halt);
      const or = (signal: AbortSignal) => AbortSignal.any([signal, halt.signal]);
      return { ...stop, dialling: or(stop.dialling), all: or(stop.all) };
    },
    /** To be called again and again during a run. */
    goesOn: async (campaign: Campaign): Promise<void> => {
      if (used.has(campaign.id) && !(await isUsed(campaign))) runs.get(campaign.id)?.abort();
    },
    /** True for a campaign that was paused because its key was refused, once there is a key that it has not used. */
    mayBeMended: async (campaign: Campaign): Promise<boolean> =>
      campaign.pauseReason === 'key' &&
      campaign.state === 'paused' &&
      campaign.archivedAt === undefined &&
      !(await isUsed(campaign)),
    /** Asks the service with the new key, and ends the pause if it takes that. */
    lift: async ({ id, name, service }: Campaign): Promise<void> => {
      const opened = await open(service);
      if (opened === undefined) return;
      const { key, keyAt = '' } = opened.config;
      const found = await opened.service.probe();
      // A service that is down is asked again.
      if (!found.ok && !found.keyRefused) return;
      used.set(id, key);
      if (!found.ok) return;
      const detail = { key: keyAt };
      const entry = { at: world.clock.now(), who: 'callsheet', what: 'campaign.resumed', detail };
      await store.changeCampaign(id, { state: 'running' }, entry);
      world.tell(`${name}: the service takes the key in ${keyAt}, so calling goes on.`, 'problem');
    },
  };
}
