import { Cron } from 'croner';
import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { localTime } from '../../text/local-time.ts';
import { shellWord } from '../../text/shell-word.ts';

/** A scheduled time that is noticed later than this is missed: the machine slept, and nobody expects calls any more. */
const LATE_MS = 10 * 60_000;
/** History entries that show that the schedule was known or kept: no earlier time counts as missed. */
const KNOWN_SINCE = ['campaign.created', 'campaign.started', 'campaign.changed', 'schedule.called'];

type Scheduled = Pick<Campaign, 'id' | 'name' | 'settings'>;

/** Decides when campaigns with a `schedule` are called. Times missed while `serve` was stopped are only reported. */
export function createSchedules(store: Pick<Store, 'history' | 'addHistory'>, world: World) {
  const next = new Map<string, { schedule: string; at: number }>();

  const planNext = ({ id, name, settings }: Scheduled, now: number, missed: number | null) => {
    const { schedule = '', timezone } = settings;
    const at = nextScheduled(settings, now);
    next.set(id, { schedule, at });
    const when = at === Infinity ? 'never again' : `next at ${localTime(at, timezone)}`;
    world.tell(`${name}: schedule ${schedule}, ${when}.`);
    if (missed === null) return;
    world.tell(
      `${name}: callsheet was not serving at ${localTime(missed, timezone)}, and that time is not made up for; \`callsheet run ${shellWord(name)}\` calls now.`,
      'problem',
    );
  };

  return {
    /** Whether the campaign's time has come; asked repeatedly while the campaign is not running. */
    isTime: async (campaign: Scheduled, now: number): Promise<boolean> => {
      const { id } = campaign;
      const { schedule } = campaign.settings;
      if (schedule === undefined) return true;
      const known = next.get(id);
      if (known?.schedule === schedule && now < known.at) return false;
      const missed =
        known?.schedule === schedule ? known.at : await missedBefore(campaign, now, store);
      const isTime = known?.schedule === schedule && now - known.at <= LATE_MS;
      planNext(campaign, now, isTime ? null : missed);
      if (isTime) {
        const detail = { at: known.at };
        const what = 'schedule.called';
        await store.addHistory(id, { at: now, who: 'callsheet', what, detail });
      }
      return isTime;
    },

    /** Called while the campaign is running: scheduled times that pass meanwhile are not missed. */
    passes: ({ id, settings }: Scheduled, now: number): void => {
      const known = next.get(id);
      if (known !== undefined && now >= known.at) known.at = nextScheduled(settings, now);
    },
  };
}

/** The latest scheduled time, if no entry of `KNOWN_SINCE` is as new or newer; else null. */
async function missedBefore(
  { id, settings }: Scheduled,
  now: number,
  store: Pick<Store, 'history'>,
): Promise<number | null> {
  const last = cronOf(settings).previousRuns(1, new Date(now))[0]?.getTime();
  if (last === undefined) return null;
  const history = await store.history(id);
  const isKnown = history.some(({ what, at }) => at >= last && KNOWN_SINCE.includes(what));
  return isKnown ? null : last;
}

/** The next time of a campaign's schedule after `now`, epoch ms; Infinity: there is none. */
export function nextScheduled(settings: Scheduled['settings'], now: number): number {
  return cronOf(settings).nextRun(new Date(now))?.getTime() ?? Infinity;
}

function cronOf({ schedule = '', timezone }: Scheduled['settings']): Cron {
  return new Cron(schedule, { timezone, paused: true });
}
