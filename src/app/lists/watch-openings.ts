import { messageOf } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { localDay } from '../../text/local-time.ts';
import { asSentence } from '../../text/plural.ts';
import type { OpenService } from '../services/service.ts';
import type { World } from '../world.ts';
import { createListWatch, type ListWatchOptions } from './list-watch.ts';

/** With `watch`, places are looked at so often between openings. */
export const LOOK_AGAIN_MS = 60_000;

interface WatchedCampaigns {
  store: Store;
  open: (service: string) => Promise<OpenService | undefined>;
  stop: { dialling: AbortSignal };
  /** Called for each list that is refused. */
  onRefusedList?: ListWatchOptions['onRefused'];
}

/** Takes the lists of served campaigns: at each opening, and with `watch` every minute. */
export function watchOpenings(
  { store, open, stop, onRefusedList }: WatchedCampaigns,
  world: World,
) {
  const watch = createListWatch({ world, stop: stop.dialling, onRefused: onRefusedList });
  /** By campaign: when its places were looked at last, and on which local day. */
  const last = new Map<string, { at: number; day: string }>();
  const looking = new Map<string, Promise<void>>();

  /** A campaign's places are looked at once at a time. */
  const look = (campaign: Campaign, now: number): Promise<void> => {
    const { id, name, settings } = campaign;
    last.set(id, { at: now, day: localDay(now, settings.timezone) });
    const running = looking.get(id);
    if (running !== undefined) return running;
    const work = open(campaign.service)
      .then((opened) =>
        opened === undefined
          ? undefined
          : watch.look({ store, campaign, live: opened.config.live }),
      )
      .catch((error: unknown) => {
        world.tell(`${name}: no lists are taken: ${asSentence(messageOf(error))}`, 'problem');
        world.keepStack(error);
      })
      .finally(() => looking.delete(id));
    looking.set(id, work);
    return work;
  };

  const isDue = ({ id, settings }: Campaign, now: number) =>
    settings.sources?.watch === true && now - (last.get(id)?.at ?? -Infinity) >= LOOK_AGAIN_MS;

  return {
    /**
     * Looks before a campaign is called: at its scheduled time, when this process sees it first, and on every new day;
     * with `watch` also every minute while nothing of it waits.
     */
    opening: async (campaign: Campaign, isTime: boolean, now: number): Promise<void> => {
      const { settings, id } = campaign;
      if (settings.sources === undefined) return;
      const isScheduled = isTime && settings.schedule !== undefined;
      const isNewDay = last.get(id)?.day !== localDay(now, settings.timezone);
      if (isScheduled || isNewDay || isDue(campaign, now)) await look(campaign, now);
    },
    /** Looks while a campaign is called, without waiting. */
    between: (campaign: Campaign, now: number): void => {
      if (campaign.state === 'running' && isDue(campaign, now)) void look(campaign, now);
    },
    /** Resolves once nothing is being taken. */
    ended: async (): Promise<void> => {
      await Promise.all(looking.values());
    },
  };
}
