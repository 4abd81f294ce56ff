import type { PeopleAt } from '../../domain/calling/openings.ts';
import type { SituationWord } from '../../domain/situation.ts';
import { isServing } from '../../runtime/process.ts';
import type { Campaign, HistoryEntry, Store } from '../../store/port.ts';
import type { Begins } from '../../views/campaigns.ts';
import { callingAhead } from '../plan/planned-hours.ts';
import { calledSince, firingEnd } from '../plan/schedule-times.ts';
import type { CampaignView } from '../run/situation.ts';
import { beginsView } from '../sentences/hours-lines.ts';

/** Whether this process calls a campaign when its time has come. */
export type IsAwaited = (campaign: Campaign) => boolean;

/** Whether this process, or `serve` at the same database, calls a campaign when its time has come. */
export function awaiting(isAwaited: IsAwaited, { name }: Pick<Store, 'name'>): IsAwaited {
  let isServed: boolean | undefined;
  return (campaign) =>
    campaign.state === 'running' && (isAwaited(campaign) || (isServed ??= isServing(name)));
}

/** Whether started or not, nobody is called while one of these holds. */
const NOT_CALLED: ReadonlySet<SituationWord> = new Set([
  ...(['database', 'disk_full', 'machines', 'list_too_old'] as const),
  ...(['cancelled', 'never_open', 'budget'] as const),
]);
/** People may be at thousands of places; beyond these there are few of them. */
const MOST_PLACES = 20;

/** When it is called next; null: nobody waits, or nobody may be called as things are. */
export function beginsOf(
  { campaign, progress, situation, budget, works, now }: CampaignView,
  history: readonly HistoryEntry[],
  places: readonly PeopleAt[],
  isAwaited: boolean,
): Begins | null {
  const { settings, state, pauseReason } = campaign;
  if (progress.waiting === 0 || situation.all.some((word) => NOT_CALLED.has(word))) return null;
  // Who gives back the slots that others hold, and when, is not known.
  const isHeld = situation.all.includes('no_free_slot') && situation.onLine === 0;
  if (works.calls !== null && isHeld) return null;
  const most = places.toSorted((a, b) => b.waiting - a.waiting).slice(0, MOST_PLACES);
  const since = calledSince(campaign, history, now);
  const planned = callingAhead(settings, most, Math.max(now, budget?.goesOnAt ?? 0), since);
  const next = situation.until ?? now;
  // A process that was told to call at once does not wait for the schedule before this night is over.
  const isTonight = settings.schedule === undefined || next < firingEnd(settings, now);
  const isAtOnce =
    works.calls !== null &&
    pauseReason === null &&
    isTonight &&
    planned !== null &&
    planned.at > next;
  const ahead = isAtOnce ? { at: next, until: Infinity, then: null } : planned;
  const isCalled = works.calls !== null || (isAwaited && !situation.all.includes('import'));
  const { timezone } = settings;
  const { made, inDoubt } = progress.dials;
  const isCalling = situation.callsMore;
  const given = { now, timezone, hasCalled: made + inDoubt > 0, isCalling };
  const isOn = state === 'running' && isCalled;
  const view = ahead && beginsView(ahead, { ...given, isOn });
  if (view === null || isOn || state === 'draft') return view;
  return { ...view, text: view.text.replace(/^C/, 'Once started again, c') };
}
