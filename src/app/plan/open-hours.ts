import { callingHours } from '../../domain/calling/calling-hours.ts';
import { openings, type Openings, type PeopleAt } from '../../domain/calling/openings.ts';
import type { CallingPolicy } from '../../domain/calling/policy.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type { Campaign, Store } from '../../store/port.ts';

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

/** The same for everybody who waits in a stored campaign. */
export async function openHoursOf(
  { id, settings }: Pick<Campaign, 'id' | 'settings'>,
  store: Pick<Store, 'placesOf'>,
  now: number,
): Promise<Openings> {
  return openHours(settings.policy, await store.placesOf(id), now);
}
