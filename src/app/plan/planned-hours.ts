import type { ResolvedSettings } from '../../config/settings.ts';
import type { Openings, PeopleAt } from '../../domain/calling/openings.ts';
import type { Survey } from '../../leads/survey.ts';
import type { Campaign, Progress, Store } from '../../store/port.ts';
import { dutiesOf, newDuties, type Duty } from '../rules/duties.ts';
import { foreignPeople, listsWithoutConsent, type WithoutConsent } from '../rules/rule-duties.ts';
import { rulesByPlace, withoutHolidays } from '../rules/rules-by-place.ts';
import { openHours } from './open-hours.ts';
import type { PlannedLists } from './plan-lists.ts';
import { scheduledBegin } from './schedule-times.ts';

export interface PlannedHours {
  hours: Openings;
  /** When the schedule lets the first calls begin, epoch ms; null: at once. */
  beginsAt: number | null;
  /** Sentences on which rules hold for whom: those of each place, and those that are made for other people. */
  foreign: string[];
  /** What the law asks of those who call these people, as far as no earlier start of the campaign has named it. */
  duties: Duty[];
  /** Lists that a rule does not allow to be called. */
  withoutConsent: WithoutConsent[];
}

/** Where those are who wait in the campaign, and the new ones of its lists. */
async function waitingAt(
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

/**
 * What hours and rules come to for the people of a plan.
 *
 * @throws AppError `SCHEDULE_NEVER` (exit 2)
 */
export async function plannedHours(
  { settings, ruleFiles }: ResolvedSettings,
  { surveys, campaign, store, now, atSchedule }: PlannedFor,
): Promise<PlannedHours> {
  const places = await waitingAt(surveys, campaign, store);
  const since = campaign?.state === 'running' ? -Infinity : now;
  const beginsAt = atSchedule ? scheduledBegin(settings, places, now, since) : null;
  return {
    hours: openHours(settings.policy, places, beginsAt ?? now),
    beginsAt,
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
  now: number;
  /** They are called at the times of the schedule, if there is one. */
  atSchedule: boolean;
}

/** How many people there are to call, now or later. */
export function countToCall(
  progress: Progress | undefined,
  { fresh }: PlannedLists,
  { hours }: PlannedHours,
): number {
  return Math.max(0, (progress?.waiting ?? 0) + fresh - hours.never);
}
