import {
  isSamePerson,
  MOST_NUMBERS,
  type PersonKey,
} from '../../../../domain/lists/same-person.ts';
import type { E164 } from '../../../../domain/phone.ts';
import type { Sql } from '../../sql.ts';
import type { DueLead } from '../due-leads.ts';

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
  const selectSame = sql.rows<[{ key: string; simulated: 0 | 1; row: number }], SameKey>(
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

interface SameKey {
  phone: E164;
  name: string;
  isOne: boolean;
}
