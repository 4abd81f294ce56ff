/**
 * Where a person is, as far as calling hours are concerned. A list of a million people has a few hundred different
 * places, so hours are evaluated by place and not by person.
 */
export interface Place {
  /**
   * IANA names, or fixed offsets such as `+05:30`, in which the person may be; a call has to be allowed in each of
   * them. Empty: not known.
   */
  zones: readonly string[];
  /**
   * ISO 3166 codes of the countries (`GB`) and states (`US-FL`) whose rules and holidays hold for the person; a country
   * is left out where one of its states is known.
   */
  regions: readonly string[];
}

/** The key under which the store keeps a place: `America/Chicago|America/New_York;US-IN`; a place has one key only. */
export function zoneKey({ zones, regions }: Place): string {
  const ordered = (names: readonly string[]) => [...new Set(names)].toSorted();
  return `${ordered(zones).join('|')};${ordered(regions).join(',')}`;
}

/** Reads a key of `zoneKey`; the empty key of leads that were imported before places were kept is an unknown place. */
export function placeOf(key: string): Place {
  const [zones = '', regions = ''] = key.split(';');
  const names = (text: string, separator: string) => (text === '' ? [] : text.split(separator));
  return { zones: names(zones, '|'), regions: names(regions, ',') };
}

/** The key of a place at which all rules and hours of these places hold. */
export function everyPlace(keys: readonly string[]): string {
  if (new Set(keys).size === 1) return keys[0] ?? '';
  const places = keys.map(placeOf);
  return zoneKey({
    zones: places.flatMap(({ zones }) => zones),
    regions: places.flatMap(({ regions }) => regions),
  });
}

/** True for the key of a place with a time zone. */
export function hasZone(key: string): boolean {
  return key !== '' && !key.startsWith(';');
}
