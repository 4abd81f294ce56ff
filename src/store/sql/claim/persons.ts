import { everyPlace, hasZone } from '../../../domain/calling/zone-key.ts';
import { fieldsOf, type MergedColumns } from '../../../domain/lists/list-mapping.ts';
import {
  isSamePerson,
  MOST_NUMBERS,
  personIn,
  variablesIn,
  type Person,
  type PersonKey,
} from '../../../domain/lists/person.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { Sql } from '../sql.ts';
import { asOf } from '../tables/lead-ends.ts';
import { IN_FORCE, type SuppressionEntry, type SuppressionTable } from '../tables/suppression.ts';
import type { DueLead } from './due-leads.ts';

/** The person of a lead: that lead, and others that its lists say are the same person. */
export interface LeadPerson {
  /** The first numbers of these leads: by them a lead is known, in every campaign. */
  own: ReadonlySet<string>;
  /** All numbers of these leads. */
  phones: readonly E164[];
}

/** Whom to ask for. */
type AskedLead = Pick<DueLead, 'row' | 'phone' | 'person' | 'personName'>;

/** So many leads of one key are looked at; a key of more is nobody's. */
const MOST_LOOKED_AT = 200;

/** Finds persons. One search of an index for a lead without key; for others, few more. Rehearsals are apart. */
export function personStatements(sql: Sql) {
  const selectSame = sql.rows<
    [{ key: string; simulated: 0 | 1; row: number }],
    { phone: E164; name: string; isOne: boolean }
  >(
    `SELECT leads.phone, person_name AS name, leads.campaign_id = (SELECT campaign_id FROM leads WHERE row = @row) AS isOne
     FROM leads INDEXED BY leads_of_person CROSS JOIN campaigns ON campaigns.id = leads.campaign_id
     WHERE person = @key AND person IS NOT NULL AND simulated = @simulated LIMIT ${MOST_LOOKED_AT}`,
    { flags: ['isOne'] },
  );
  const selectFurther = sql.values<[row: number], E164>(
    'SELECT phone FROM lead_numbers WHERE lead_row = ?',
  );
  const selectFurtherOf = sql.values<[{ key: string; phones: string }], E164>(
    `SELECT DISTINCT numbers.phone FROM leads INDEXED BY leads_of_person
       CROSS JOIN lead_numbers AS numbers ON numbers.lead_row = leads.row
     WHERE person = @key AND person IS NOT NULL AND leads.phone IN (SELECT value FROM json_each(@phones))`,
  );

  /** The first numbers of the other leads with this key, those of other persons left out. */
  function sameKey({ row, phone }: AskedLead, key: PersonKey, simulated: boolean): E164[] {
    const found = selectSame({ key: key.key, simulated: simulated ? 1 : 0, row });
    const numbers = new Set(found.map((one) => one.phone));
    if (numbers.size > MOST_NUMBERS || found.length === MOST_LOOKED_AT) return [];
    const same = found.filter(({ name, isOne }) => isSamePerson(key, name, isOne));
    return [...new Set(same.map((one) => one.phone))].filter((other) => other !== phone);
  }

  /** @returns a function that finds the person of a lead, and remembers the last one it has found */
  return ({ simulated }: { simulated: boolean }) => {
    let last: { row: number; person: LeadPerson } | undefined;
    return (lead: AskedLead): LeadPerson => {
      if (last?.row === lead.row) return last.person;
      const { row, phone, person: key, personName: name } = lead;
      const others = key === null ? [] : sameKey(lead, { key, name }, simulated);
      const further = selectFurther(row);
      if (key !== null && others.length > 0)
        further.push(...selectFurtherOf({ key, phones: JSON.stringify(others) }));
      const own = new Set([phone, ...others]);
      const found = { own, phones: [...new Set([phone, ...others, ...further])] };
      last = { row, person: found };
      return found;
    };
  };
}

/**
 * Finds what a person has said at another of their numbers. A file, such as a registry's, is about numbers; all other
 * entries are about people. Rehearsals and real campaigns are apart.
 */
export function wishStatements(sql: Sql, suppression: SuppressionTable) {
  // A phone that people share tells nothing about the other phones of one of them.
  const selectShared = sql.value<[SharedBy], number>(
    `SELECT 1 FROM lead_numbers AS numbers INDEXED BY lead_numbers_by_phone
       CROSS JOIN leads ON leads.row = numbers.lead_row CROSS JOIN campaigns ON campaigns.id = leads.campaign_id
     WHERE numbers.phone = @phone AND simulated = @simulated AND leads.phone NOT IN (SELECT value FROM json_each(@own))
     UNION ALL SELECT 1 FROM campaigns CROSS JOIN leads ON leads.campaign_id = campaigns.id AND leads.phone = @phone
     WHERE simulated = @simulated LIMIT 1`,
  );
  const selectWish = sql.row<[{ phone: E164; now: number }], SuppressionEntry>(
    `SELECT source, at, note, expires_at AS expiresAt FROM suppression AS entry
     WHERE phone = @phone AND ${IN_FORCE} AND source <> 'file' ORDER BY seq LIMIT 1`,
  );

  return (campaign: { simulated: boolean }, now: number) => {
    const entryOf = suppression.at(now);
    const simulated = campaign.simulated ? 1 : 0;
    return ({ own, phones }: LeadPerson, phone: E164): SuppressionEntry | undefined => {
      for (const other of phones) {
        const first = other === phone ? undefined : entryOf(other);
        const entry = first?.source === 'file' ? selectWish({ phone: other, now }) : first;
        if (entry === undefined) continue;
        const isTheirs =
          own.has(other) ||
          selectShared({ phone: other, own: JSON.stringify([...own]), simulated }) === undefined;
        if (isTheirs) return entry;
      }
      return undefined;
    };
  };
}

interface SharedBy {
  phone: E164;
  /** JSON: the first numbers of the person's own leads. */
  own: string;
  simulated: 0 | 1;
}

/**
 * Finds where the lists of all campaigns say that a number is. Lists differ when somebody has moved or one of them is
 * wrong, so that hours and rules of all of these places have to allow a call. Rehearsals and real campaigns are apart.
 */
export function knownPlaces(sql: Sql) {
  const select = sql.values<[{ phone: E164; simulated: 0 | 1 }], string>(
    `SELECT leads.zone_key FROM campaigns CROSS JOIN leads ON leads.campaign_id = campaigns.id AND leads.phone = @phone
     WHERE campaigns.simulated = @simulated AND coalesce(leads.dial_phone, leads.phone) = @phone
     UNION ALL SELECT numbers.zone_key FROM lead_numbers AS numbers INDEXED BY lead_numbers_by_phone
       CROSS JOIN leads ON leads.row = numbers.lead_row CROSS JOIN campaigns ON campaigns.id = leads.campaign_id
     WHERE numbers.phone = @phone AND campaigns.simulated = @simulated`,
  );

  /** @returns a function that finds the key of a number's place, which is the lead's own where no list differs */
  return ({ simulated }: { simulated: boolean }) =>
    (phone: E164, own: string): string => {
      const known = select({ phone, simulated: simulated ? 1 : 0 }).filter(hasZone);
      return known.length === 0 ? own : everyPlace([own, ...known]);
    };
}

/** What the body of a dial may contain about a lead. */
interface LeadCells {
  /** By column name, see `variableIn`. */
  variables: Record<string, string>;
  /** Read from the columns that were recognised in the lead's own list. */
  person: Person;
}

export function leadCellsStatement(sql: Sql) {
  const selectCells = sql.row<
    [{ leadRow: number; seq: number | null }],
    MergedColumns & { cells: string[] }
  >(
    `SELECT lists.headers, lists.mapping, lists.added, ${asOf('cells', '@seq')} AS cells
     FROM leads JOIN lists ON lists.id = leads.list_id WHERE leads.row = @leadRow`,
    { json: ['headers', 'mapping', 'added', 'cells'] },
  );

  /** @param seq the attempt that the cells are to be those of; default null: the next one */
  return (leadRow: number, seq: number | null = null): LeadCells => {
    const found = selectCells({ leadRow, seq });
    if (found === undefined) return { variables: {}, person: {} };
    const { cells, added } = found;
    const headers = [...found.headers, ...added.map(({ header }) => header)];
    const person = personIn({ fields: fieldsOf(found) }, cells);
    return { variables: variablesIn(headers, cells), person };
  };
}
