import type { ResolvedSettings } from '../../config/settings.ts';
import { foreignPeople, listsWithoutConsent, type WithoutConsent } from './rule-duties.ts';
import { callingHours } from '../../domain/calling/calling-hours.ts';
import { openings, type Openings, type PeopleAt } from '../../domain/calling/openings.ts';
import type { CallingPolicy } from '../../domain/calling/policy.ts';
import type { Survey } from '../../leads/survey.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type { Campaign, Store } from '../../store/port.ts';

export interface PlannedHours {
  hours: Openings;
  /** Sentences about people for whom a rule is not made. */
  foreign: string[];
  /** Lists that a rule does not allow to be called. */
  withoutConsent: WithoutConsent[];
}

/** How many of these people may be called at `now`, how many later and how many never, by the hours alone. */
export function openHours(
  policy: CallingPolicy | undefined,
  places: Iterable<PeopleAt>,
  now: number,
): Openings {
  if (policy === undefined) return openings(places, () => ({ open: true, until: Infinity }), now);
  return openings(places, callingHours(policy, zoneOffsets(policy.zoneOverrides)), now);
}

/** What the rules of a plan come to, for those who wait in the campaign and the new ones of its lists. */
export async function plannedHours(
  { settings, ruleFiles }: ResolvedSettings,
  surveys: readonly Survey[],
  campaign: Campaign | undefined,
  store: Store | undefined,
  now: number,
): Promise<PlannedHours> {
  const stored = campaign === undefined ? [] : ((await store?.placesOf(campaign.id)) ?? []);
  const fresh = surveys.flatMap(({ places }) =>
    [...places].map(([zoneKey, waiting]) => ({ zoneKey, waiting, firstNotBefore: 0 })),
  );
  const places = [...stored, ...fresh];
  return {
    hours: openHours(settings.policy, places, now),
    foreign: foreignPeople(ruleFiles, places),
    withoutConsent: await listsWithoutConsent({ ruleFiles, surveys, campaign, store }),
  };
}

/** The same for everybody who waits in a stored campaign. */
export async function openHoursOf(
  { id, settings }: Pick<Campaign, 'id' | 'settings'>,
  store: Pick<Store, 'placesOf'>,
  now: number,
): Promise<Openings> {
  return openHours(settings.policy, await store.placesOf(id), now);
}
