import { placeOf, zoneKey } from '../domain/calling/zone-key.ts';
import { rowPlaces } from './rows/row-person.ts';
import type { Campaign, LeadPlace, LeadWithoutPlace, Store } from '../store/port.ts';

const AT_ONCE = 1_000;

/**
 * Finds the place of waiting leads that were stored without one: by an older version, or from the journal. Runs before
 * a campaign with calling hours is dialled, as a person without a place is never called.
 */
export async function fillPlaces(
  store: Pick<Store, 'leadsWithoutPlace' | 'keepPlaces'>,
  { id, settings }: Pick<Campaign, 'id' | 'settings'>,
): Promise<void> {
  if (settings.policy === undefined) return;
  for (;;) {
    const leads = await store.leadsWithoutPlace(id, AT_ONCE);
    if (leads.length > 0) await store.keepPlaces(id, placesOf(leads));
    if (leads.length < AT_ONCE) return;
  }
}

/** One function for each list, as it remembers what it has worked out. */
function placesOf(leads: readonly LeadWithoutPlace[]): LeadPlace[] {
  const judges = new Map<LeadWithoutPlace['mapping'], ReturnType<typeof rowPlaces>>();
  return leads.map((lead) => {
    const placeAt = judges.get(lead.mapping) ?? rowPlaces(lead.mapping ?? { fields: {} });
    judges.set(lead.mapping, placeAt);
    return placeOfLead(lead, placeAt);
  });
}

function placeOfLead(
  { phone, cells }: LeadWithoutPlace,
  placeAt: ReturnType<typeof rowPlaces>,
): LeadPlace {
  const { place, refusal } = placeAt(phone, cells);
  const { zoneKey: key, zonesDisagree: disagree } = place;
  if (refusal === undefined) return { phone, zoneKey: key, disagree };
  // The row would be rejected today: what its list says of the clock is not understood, so no clock is assumed.
  return { phone, zoneKey: zoneKey({ ...placeOf(key), zones: [] }), disagree: false };
}
