import type { E164 } from '../../../domain/phone.ts';
import type { FoundLead } from '../../port.ts';
import type { Sql } from '../sql.ts';

/** A text with fewer digits than this is a line or an id, not a phone number. */
const SHORTEST_NUMBER = 7;

/**
 * Finds a person in all campaigns. Kinds of match are tried from the surest to the weakest, and the first kind that
 * finds a lead is the answer. A whole number, from its `+` on, is looked up in indexes; everything else reads whole
 * tables, so it suits a person's single question, not a loop.
 */
export function searchStatements(sql: Sql) {
  const select = `SELECT leads.campaign_id AS campaignId, campaigns.name AS campaign, leads.phone, lists.number AS list,
      leads.line, leads.cells, leads.zone_key AS zoneKey, leads.state, leads.result, leads.reason, leads.spent AS attempts,
      coalesce(leads.dial_phone, leads.phone) AS dial,
      (SELECT json_group_array(phone) FROM (SELECT phone FROM lead_numbers WHERE lead_row = leads.row ORDER BY ordinal))
        AS furtherNumbers
    FROM leads JOIN campaigns ON campaigns.id = leads.campaign_id JOIN lists ON lists.id = leads.list_id`;
  const order = 'ORDER BY campaigns.created_at DESC, leads.position';
  const byWholeNumber = sql.rows<[{ number: string; limit: number }], Row>(
    `${select} WHERE leads.row IN (SELECT leads.row FROM campaigns CROSS JOIN leads
         ON leads.campaign_id = campaigns.id AND leads.phone = @number
       UNION SELECT lead_row FROM lead_numbers WHERE phone = @number) ${order} LIMIT @limit + 0`,
  );
  const byEndOfNumber = sql.rows<[{ number: string; limit: number }], Row>(
    `${select} WHERE leads.row IN (SELECT row FROM leads WHERE phone LIKE '%' || @number
       UNION SELECT lead_row FROM lead_numbers WHERE phone LIKE '%' || @number) ${order} LIMIT @limit`,
  );
  const byCall = sql.rows<[{ text: string; seq: number; limit: number }], Row>(
    `${select} WHERE leads.row IN (SELECT lead_row FROM attempts
       WHERE call_id = @text OR key = @text OR seq = @seq) ${order} LIMIT @limit`,
  );
  const byLine = sql.rows<[line: number, limit: number], Row>(
    `${select} WHERE leads.line = ? ${order} LIMIT ?`,
  );
  const byCells = `${select} WHERE leads.cells LIKE ? ESCAPE '\\' ${order}`;

  function inCells(text: string, limit: number, by: 'cell' | 'part'): FoundLead[] {
    const words = by === 'cell' ? [text] : text.split(/\s+/);
    const [longest = ''] = words.toSorted((a, b) => b.length - a.length);
    const found: FoundLead[] = [];
    for (const row of sql.db.prepare<[string], Row>(byCells).iterate(patternOf(longest))) {
      const cells = (JSON.parse(row.cells) as string[]).map(comparable);
      const matches =
        by === 'cell'
          ? cells.includes(comparable(text))
          : words.every((word) => cells.some((cell) => cell.includes(comparable(word))));
      if (matches) found.push(toFound(row, by));
      if (found.length === limit) break;
    }
    return found;
  }

  return (given: string, limit: number): FoundLead[] => {
    const text = given.trim();
    if (text === '') return [];
    const digits = digitsOf(text);
    if (digits.length >= SHORTEST_NUMBER) {
      // Matched by the last digits: the number may lack its country code, perhaps with a leading zero instead.
      const rows = text.startsWith('+')
        ? byWholeNumber({ number: `+${digits}`, limit })
        : byEndOfNumber({ number: digits.replace(/^0+/, ''), limit });
      if (rows.length > 0) return rows.map((row) => toFound(row, 'number'));
    }
    const seq = /^a\d{1,15}$/.test(text) ? Number(text.slice(1)) : -1;
    const called = byCall({ text, seq, limit });
    if (called.length > 0) return called.map((row) => toFound(row, 'call'));
    const cells = inCells(text, limit, 'cell');
    const lines = /^\d{1,10}$/.test(text) ? byLine(Number(text), limit) : [];
    const exact = [...cells, ...lines.map((row) => toFound(row, 'line'))].slice(0, limit);
    return exact.length > 0 ? exact : inCells(text, limit, 'part');
  };
}

interface Row extends Omit<FoundLead, 'cells' | 'furtherNumbers' | 'by'> {
  cells: string;
  furtherNumbers: string;
}

function toFound(row: Row, by: FoundLead['by']): FoundLead {
  const cells = JSON.parse(row.cells) as string[];
  return { ...row, cells, furtherNumbers: JSON.parse(row.furtherNumbers) as E164[], by };
}

/** The digits of a text that has only signs of phone numbers; empty for any other text. */
export function digitsOf(text: string): string {
  return /^[+\d\s()./-]+$/.test(text) ? text.replaceAll(/\D/g, '') : '';
}

/** Cells are JSON text with several spellings for non-ASCII characters: `%` matches these; compare them afterwards. */
export function patternOf(word: string): string {
  const inJson = JSON.stringify(word).slice(1, -1);
  // eslint-disable-next-line no-control-regex -- must match everything outside of ASCII
  return `%${inJson.replaceAll(/[\\%_]/g, '\\$&').replaceAll(/[^\x00-\x7f]+/g, '%')}%`;
}

/** The spelling in which cells and searched words are compared. */
export function comparable(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

/** True when each of the words is in one of the cells; the words are `comparable`. */
export function haveWords(cells: readonly string[], words: readonly string[]): boolean {
  const texts = cells.map(comparable);
  return words.every((word) => texts.some((text) => text.includes(word)));
}
