import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import type { E164 } from '../../domain/phone.ts';
import { placeOfPerson } from '../zones/place-of-person.ts';
import { rowRefusal, type Refusal } from './row-refusal.ts';

/** Where the person of a row is. */
export interface RowPlace {
  /** See `zoneKey` of domain/calling. */
  zoneKey: string;
  /** True when the list and the number disagree about the time zone. */
  zonesDisagree: boolean;
}

/**
 * Returns what tells where the person of a row is who is called at this number.
 *
 * @returns besides the place a refusal where the cell of the time-zone column is not understood: nothing is guessed
 *   where the list says something of the person's clock
 */
export function rowPlaces({
  fields,
}: Pick<ListMapping, 'fields'>): (
  phone: E164,
  cells: readonly string[],
) => { place: RowPlace; refusal?: Refusal } {
  const { timezone, postalCode, state, country } = fields;
  const cell = (cells: readonly string[], column: number | undefined) =>
    column === undefined ? undefined : cells[column];
  return (phone, cells) => {
    const {
      zoneKey,
      disagree,
      unknownTimezone: unknown,
    } = placeOfPerson({
      phone,
      timezone: cell(cells, timezone),
      postalCode: cell(cells, postalCode),
      state: cell(cells, state),
      country: cell(cells, country),
    });
    const place = { zoneKey, zonesDisagree: disagree };
    return unknown === undefined
      ? { place }
      : { place, refusal: rowRefusal('unknown_timezone', unknown.value, unknown.nearest) };
  };
}
