import type { Database } from 'better-sqlite3';
import { keyOf } from '../claim/intents.ts';
import { sqlOf } from '../sql.ts';
import { leadCounts, POSITIONS_PER_LIST } from '../tables/lead-counts.ts';
import type { JournalEntry } from './journal-lines.ts';

/** The lead of a lost dial; if the database is older than the lead's list, a new lead in a list for such leads. */
export function leadRowFor(db: Database, entry: JournalEntry): number {
  const known = leadOfDial(db, entry);
  if (known !== undefined) return known;
  const listId = `journal-${entry.campaignId}`;
  db.prepare(
    `INSERT INTO lists (id, campaign_id, number, path, sha256, headers, at, finished_at)
     SELECT ?, ?, coalesce(max(number), 0) + 1, '(dial journal)', 'journal', '["phone"]', ?, ?
     FROM lists WHERE campaign_id = ? ON CONFLICT DO NOTHING`,
  ).run(listId, entry.campaignId, entry.intentAt, entry.intentAt, entry.campaignId);
  db.prepare(
    `INSERT INTO leads (campaign_id, list_id, position, line, phone, cells)
     SELECT @campaignId, id, number * ${POSITIONS_PER_LIST} + @seq, @seq, @phone,
       json_array(@phone) FROM lists WHERE id = @listId`,
  ).run({ ...entry, listId });
  const row = leadOfDial(db, entry) as number;
  const position = db
    .prepare('SELECT position FROM leads WHERE row = ?')
    .pluck()
    .get(row) as number;
  leadCounts(sqlOf(db))(entry.campaignId, [{ position, zoneKey: '' }]);
  return row;
}

/** The lead with this number as its own or as a further one; of several the one whose key was dialled. */
function leadOfDial(db: Database, { campaignId, phone: dial, ordinal, key }: JournalEntry) {
  const leads = db
    .prepare<{ campaignId: string; dial: string }, { row: number; phone: string }>(
      `SELECT row, phone FROM leads WHERE campaign_id = @campaignId AND phone = @dial
       UNION ALL SELECT row, leads.phone FROM lead_numbers JOIN leads ON leads.row = lead_row
         WHERE lead_numbers.phone = @dial AND campaign_id = @campaignId`,
    )
    .all({ campaignId, dial });
  const spent = ordinal - 1;
  const isDialled = ({ phone }: { phone: string }) =>
    Array.from({ length: MOST_NOT_CALLED }, (_, notCalled) => notCalled).some(
      (notCalled) => keyOf(campaignId, { phone, dial, spent, notCalled }) === key,
    );
  return (leads.length > 1 ? (leads.find(isDialled) ?? leads[0]) : leads[0])?.row;
}

/** Calls that a service takes and ends without ringing are part of a key; so many of one lead are tried. */
const MOST_NOT_CALLED = 32;
