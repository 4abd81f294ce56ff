import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';

import { INTENT_LIMIT_MS } from '../../../domain/attempt.ts';
import type { CampaignSettings } from '../../../domain/campaign.ts';
import { nightOf } from '../../../domain/nights/night.ts';
import { zoneOffsets } from '../../../runtime/time-zones.ts';
import { keyOf } from '../../sql/claim/intents.ts';
import { sqlOf } from '../../sql/sql.ts';
import { COUNTS, DIALLED_AGAIN } from '../../sql/tables/attempt-rows.ts';
import { leadCounts, POSITIONS_PER_LIST } from '../../sql/tables/lead-ends.ts';
import { recountNights } from '../../sql/tables/nights/nights.ts';
import {
  beyond,
  damaged,
  foreign,
  journalMissing,
  possibleDials,
  type PossibleDial,
} from './mend-journal.ts';
import type { JournalEntry } from '../../claims.ts';
import type { DamagedLine } from './journal-lines.ts';
import { journalPath, readJournal, type JournalContent } from './journal.ts';

/** The database's id, created on first use; the journal's first line repeats it. */
export function databaseIdOf(db: Database): string {
  db.prepare("INSERT INTO meta VALUES ('database_id', ?) ON CONFLICT DO NOTHING").run(randomUUID());
  return db.prepare("SELECT value FROM meta WHERE key = 'database_id'").pluck().get() as string;
}

/**
 * Compares the dial journal with the attempts. A line without a row shows a dial that the database does not have any
 * more (it is an older copy, or lost its last commits): the dial is added as an `unknown` attempt, so that nobody is
 * called again. When a line is damaged, the other lines are still recovered.
 * @param options.mend true: everybody a damaged line may be about counts as called; false: the line is an error
 * @param options.onMended called with the outcome once the changes are committed
 * @returns how many attempts were added
 * @throws AppError `JOURNAL_MISSING`, `JOURNAL_OF_ANOTHER_DATABASE`, `JOURNAL_BEYOND_DATABASE`, `JOURNAL_DAMAGED`,
 *   `JOURNAL_NOT_MENDED` (exit 5): where the journal cannot be matched, dialling is refused
 */
export function recoverFromJournal(
  db: Database,
  databasePath: string,
  databaseId: string,
  options: { mend?: boolean; onMended?: ((mended: Mended) => void) | undefined } = {},
): number {
  const { mend = false, onMended } = options;
  const path = journalPath(databasePath);
  const verified = Number(noted(db, 'journal_verified') ?? 0);
  const dialled = db.prepare('SELECT 1 FROM attempts LIMIT 1').pluck().get() !== undefined;
  const journal = readJournal(path, verified);
  if (journal === undefined) {
    if (dialled) throw journalMissing(databasePath, path);
    return 0;
  }
  try {
    const place = { path, databasePath, databaseId, mend };
    if (journal.databaseId !== null && journal.databaseId !== databaseId) throw foreign(place);
    if (dialled && (journal.databaseId === null || journal.size < verified)) {
      throw journalMissing(databasePath, path);
    }
    const tail = noted(db, 'journal_tail');
    if (tail !== undefined && tail !== journal.tailBefore(verified))
      throw journalMissing(databasePath, path);
    const { restored, damage, lines, taken } = restore(db, journal, place);
    if (damage !== undefined) throw damaged(place, damage);
    if (mend) onMended?.({ path, lines, taken });
    return restored;
  } finally {
    journal.close();
  }
}

export interface Mended {
  /** Path of the journal. */
  path: string;
  lines: number;
  /** People who now count as called, because a damaged line may be about them. */
  taken: number;
}

interface Place {
  path: string;
  databasePath: string;
  databaseId: string;
  mend: boolean;
}

/** @returns `damage`: the first damaged line, unless it was mended */
function restore(db: Database, journal: JournalContent, place: Place) {
  const dialledAt = db
    .prepare<[number, string], number>('SELECT intent_at FROM attempts WHERE seq = ? AND key = ?')
    .pluck();
  const note = db.prepare(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const since = noted(db, 'journal_seq');
  const inJournal = new Set<number>();
  const lastSeq = db.prepare('SELECT coalesce(max(seq), 0) FROM attempts').pluck();
  const run = db.transaction(() => {
    let restored = 0;
    const campaigns = new Set<string>();
    const { damage, last } = readLines(journal, place, (entry) => {
      inJournal.add(entry.seq);
      const known = dialledAt.get(entry.seq, entry.key);
      if (known !== undefined) {
        if (entry.intentAt > known) dialAgain(db, entry, place);
        return;
      }
      restoreAttempt(db, entry, place);
      campaigns.add(entry.campaignId);
      restored += 1;
    });
    const taken = place.mend
      ? damage.flatMap((line) => possibleDials(db, line, last, place.path))
      : [];
    for (const dial of taken) {
      restoreAttempt(db, dial, place);
      campaigns.add(dial.campaignId);
    }
    for (const id of campaigns) recountNights(sqlOf(db), id);
    const first = place.mend ? undefined : damage[0];
    if (damage.length === 0 && since !== undefined && isAnyMissing(db, Number(since), inJournal))
      throw journalMissing(place.databasePath, place.path);
    const verified = first?.at ?? journal.readTo();
    note.run('journal_verified', String(verified));
    note.run('journal_tail', journal.tailBefore(verified));
    note.run('journal_seq', String(lastSeq.get()));
    restored += taken.length;
    return { restored, damage: first, lines: damage.length, taken: taken.length };
  });
  return run.immediate();
}

/** What the database has noted about its journal: length, hash of its tail, newest attempt when it was read last. */
function noted(db: Database, key: string): string | undefined {
  const select = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?');
  return select.pluck().get(key);
}

/** True when the service has answered a dial after attempt `since` that the journal lacks: its line was synced before. */
function isAnyMissing(db: Database, since: number, inJournal: ReadonlySet<number>): boolean {
  const answered = db
    .prepare<[number], number>(
      "SELECT seq FROM attempts WHERE seq > ? AND answered_at IS NOT NULL AND owner_host <> ''",
    )
    .pluck();
  for (const seq of answered.iterate(since)) if (!inJournal.has(seq)) return true;
  return false;
}

/** Calls `use` for every dial. @returns the damaged lines with their neighbours, and the last dial */
function readLines(journal: JournalContent, place: Place, use: (entry: JournalEntry) => void) {
  const damage: DamagedLine[] = [];
  let last: JournalEntry | undefined;
  for (const line of journal.lines) {
    if (line.kind === 'header' && line.databaseId !== place.databaseId) throw foreign(place);
    if (line.kind === 'damaged') damage.push({ ...line, before: last, after: undefined });
    if (line.kind !== 'dial') continue;
    last = line.entry;
    for (const each of damage) each.after ??= last;
    use(line.entry);
  }
  return { damage, last };
}

function settingsOf(db: Database, { campaignId }: { campaignId: string }, place: Place) {
  const select = db.prepare<[string], string>('SELECT settings FROM campaigns WHERE id = ?');
  const settings = select.pluck().get(campaignId);
  if (settings === undefined) throw beyond(place);
  return JSON.parse(settings) as CampaignSettings;
}

/** The same dial was sent again: unless the database knows that, the times of the last one hold, and it counts. */
function dialAgain(db: Database, entry: JournalEntry, place: Place): void {
  const at = entry.intentAt;
  const until = at + settingsOf(db, entry, place).longestCallMs;
  const { changes } = db
    .prepare(
      `UPDATE attempts SET ${DIALLED_AGAIN} WHERE seq = @seq AND coalesce(begins_at, 0) < @at`,
    )
    .run({ seq: entry.seq, at, until });
  if (changes === 0) return;
  db.prepare(
    'UPDATE replayable_dials SET replays = replays + 1, due_at = ? WHERE attempt_seq = ?',
  ).run(at + INTENT_LIMIT_MS, entry.seq);
}

function restoreAttempt(db: Database, entry: JournalEntry | PossibleDial, place: Place): void {
  const settings = settingsOf(db, entry, place);
  const leadRow = 'leadRow' in entry ? entry.leadRow : leadRowFor(db, entry);
  closeEarlier(db, leadRow, entry.key);
  const ordinal = ordinalFor(db, leadRow, entry.ordinal);
  db.prepare(
    `INSERT INTO attempts (seq, key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at,
       holds_until, slot_until, owner_host, owner_boot, owner_pid, night, detail)
     VALUES ((SELECT CASE WHEN EXISTS (SELECT 1 FROM attempts WHERE seq = @seq) THEN NULL ELSE @seq END),
       @key, @campaignId, @leadRow, @phone, @service, @agent, @ordinal, 'unknown', @intentAt,
       @holdsUntil, @holdsUntil, '', '', 0, @night, 'the database was replaced by a copy from before this call; the dial journal still has it')`,
  ).run({
    ...entry,
    leadRow,
    ordinal,
    holdsUntil: entry.intentAt + settings.longestCallMs,
    night: nightOf(entry.intentAt, settings, zoneOffsets(settings.policy?.zoneOverrides ?? [])),
  });
  db.prepare(
    `UPDATE leads SET state = 'calling', result = NULL, result_source = NULL, reason = NULL, spent = max(spent, ?)
     WHERE row = ?`,
  ).run(ordinal, leadRow);
}

/**
 * A later dial to the same person proves that the earlier attempt was over by then. With the same key it had been
 * released; with another key it had ended, and its outcome is lost.
 */
function closeEarlier(db: Database, leadRow: number, key: string): void {
  db.prepare(
    `UPDATE attempts SET state = CASE WHEN key = @key THEN 'released' ELSE 'unconfirmed' END,
       slot_until = CASE WHEN key = @key THEN NULL ELSE holds_until END, released = CASE WHEN key = @key THEN seq ELSE 0 END
     WHERE lead_row = @leadRow AND (state IN ('intent', 'unknown') OR state = 'unconfirmed' AND key = @key)`,
  ).run({ leadRow, key });
}

/** The ordinal in the journal, or the next free one when another attempt that counts has it (perhaps called twice). */
function ordinalFor(db: Database, leadRow: number, ordinal: number): number {
  const counting = db
    .prepare<[number], number>(`SELECT ordinal FROM attempts WHERE lead_row = ? AND ${COUNTS}`)
    .pluck()
    .all(leadRow);
  return counting.includes(ordinal) ? Math.max(...counting) + 1 : ordinal;
}

/** The lead of a lost dial; if the database is older than the lead's list, a new lead in a list for such leads. */
function leadRowFor(db: Database, entry: JournalEntry): number {
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
