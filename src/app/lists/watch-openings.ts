import { messageOf } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { asSentence } from '../../text/plural.ts';
import { campaignNight } from '../nights/campaign-night.ts';
import type { NoticeWatch } from '../notices/watch.ts';
import type { OpenService } from '../services/service.ts';
import type { World } from '../world.ts';
import { createListWatch } from './list-watch.ts';

/** With `watch`, places are looked at so often between openings. */
export const LOOK_AGAIN_MS = 60_000;

interface WatchedCampaigns {
  store: Store;
  open: (service: string) => Promise<OpenService | undefined>;
  stop: { dialling: AbortSignal };
  noticeWatch: Pick<NoticeWatch, 'refusedList'>;
  /** See `TakingCampaign`. */
  services?: string | undefined;
}

/** Takes the lists of served campaigns: at each opening, and with `watch` every minute. */
export function watchOpenings(options: WatchedCampaigns, world: World) {
  const { store, open, stop, noticeWatch, services } = options;
  const watch = createListWatch({ world, stop: stop.dialling, onRefused: noticeWatch.refusedList });
  /** By campaign: when its places were looked at last, and in which of its nights. */
  const last = new Map<string, { at: number; night: string }>();
  const looking = new Map<string, Promise<void>>();

  /** A campaign's places are looked at once at a time. */
  const look = (campaign: Campaign, now: number): Promise<void> => {
    const { id, name, settings } = campaign;
    last.set(id, { at: now, night: campaignNight(now, settings).date });
    const running = looking.get(id);
    if (running !== undefined) return running;
    const work = open(campaign.service)
      .then((opened) =>
        opened === undefined
          ? undefined
          : watch.look({ store, campaign, live: opened.config.live, services }),
      )
      .catch((error: unknown) => {
        world.tell(`${name}: no lists are taken: ${asSentence(messageOf(error))}`, 'problem');
        world.keepStack(error);
      })
      .finally(() => looking.delete(id));
    looking.set(id, work);
    return work;
  };

  const isMinuteOver = ({ id, settings }: Pick<Campaign, 'id' | 'settings'>, now: number) =>
    settings.sources?.watch === true &&
    // Of either sign: the clock may have been set back.
    Math.abs(now - (last.get(id)?.at ?? -Infinity)) >= LOOK_AGAIN_MS;

  return {
    /**
     * Whether the places are to be looked at before the campaign is called: at its scheduled time, when this process
     * sees it first, and without a schedule in every new night; with `watch` also every minute while nothing of it is called.
     */
    isDue: ({ settings, id }: Campaign, opensNow: boolean, now: number): boolean => {
      if (settings.sources === undefined) return false;
      // With a schedule, its times are the openings; without one, each night is.
      const before = last.get(id)?.night;
      const isNew =
        settings.schedule === undefined
          ? before !== campaignNight(now, settings).date
          : before === undefined;
      return opensNow || isNew || isMinuteOver({ id, settings }, now);
    },
    open: look,
    /** Looks while a campaign is called, without waiting. */
    between: (campaign: Campaign, now: number): void => {
      if (campaign.state === 'running' && isMinuteOver(campaign, now)) void look(campaign, now);
    },
    /** Resolves once nothing is being taken. */
    ended: async (): Promise<void> => {
      await Promise.all(looking.values());
    },
  };
}
