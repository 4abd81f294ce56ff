import type { ResolvedSettings } from '../../config/settings.ts';
import { foreignPeople, listsWithoutConsent, type WithoutConsent } from '../rules/rule-duties.ts';
import { callingHours } from '../../domain/calling/calling-hours.ts';
import { openings, type Openings, type PeopleAt } from '../../domain/calling/openings.ts';
import type { CallingPolicy } from '../../domain/calling/policy.ts';
import type { Survey } from '../../leads/survey.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type { Campaign, Progress, Store } from '../../store/port.ts';
import type { PlannedLists } from './plan-lists.ts';
import { dutiesOf, newDuties, type Duty } from '../rules/duties.ts';
import { rulesByPlace, withoutHolidays } from '../rules/rules-by-place.ts';

export interface PlannedHours {
  hours: Openings;
  /** Sentences on which rules hold for whom: those of each place, and those that are made for other people. */
  foreign: string[];
  /** What the law asks of those who call these people, as far as no earlier start of the campaign has named it. */
  duties: Duty[];
  /** Lists that a rule does not allow to be called. */
  withoutConsent: WithoutConsent[];
}

/** How many of these people may be called at `now`, how many later and how many never, by the hours alone. */
export function openHours(
  policy: CallingPolicy | undefined,
  places: Iterable<PeopleAt>,
  now: number,
): Openings {
  if (policy === undefined) return openings(places, () => ALWAYS, now);
  const hoursAt = callingHours(policy, zoneOffsets(policy.zoneOverrides));
  // A place that is not worked out yet (see `fillPlaces`) is not an unknown one: a run works it out before it dials.
  return openings(places, (key, at) => (key === '' ? ALWAYS : hoursAt(key, at)), now);
}

const ALWAYS = { open: true, until: Infinity } as const;

/** Where those are who wait in the campaign, and the new ones of its lists. */
export async function waitingAt(
  surveys: readonly Survey[],
  campaign: Campaign | undefined,
  store: Store | undefined,
): Promise<PeopleAt[]> {
  const stored = campaign === undefined ? [] : ((await store?.placesOf(campaign.id)) ?? []);
  const fresh = surveys.flatMap(({ places }) =>
    [...places].map(([zoneKey, waiting]) => ({ zoneKey, waiting, firstNotBefore: 0 })),
  );
  return [...stored, ...fresh];
}

/** What the rules of a plan come to for these people. @param at when the first calls may begin, epoch ms */
export async function plannedHours(
  { settings, ruleFiles }: ResolvedSettings,
  places: readonly PeopleAt[],
  { surveys, campaign, store, at }: PlannedFor,
): Promise<PlannedHours> {
  return {
    hours: openHours(settings.policy, places, at),
    foreign: [
      ...rulesByPlace(ruleFiles, places),
      ...foreignPeople(ruleFiles, places),
      ...withoutHolidays(settings.policy, places),
    ],
    duties: await newDuties(dutiesOf(ruleFiles, places), campaign, store),
    withoutConsent: await listsWithoutConsent({ ruleFiles, surveys, campaign, store }),
  };
}

interface PlannedFor {
  surveys: readonly Survey[];
  campaign: Campaign | undefined;
  store: Store | undefined;
  at: number;
}

/** The same for everybody who waits in a stored campaign. */
export async function openHoursOf(
  { id, settings }: Pick<Campaign, 'id' | 'settings'>,
  store: Pick<Store, 'placesOf'>,
  now: number,
): Promise<Openings> {
  return openHours(settings.policy, await store.placesOf(id), now);
}

/** How many people there are to call, now or later. */
export function countToCall(
  progress: Progress | undefined,
  { fresh }: PlannedLists,
  { hours }: PlannedHours,
): number {
  return Math.max(0, (progress?.waiting ?? 0) + fresh - hours.never);
}
