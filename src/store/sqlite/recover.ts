import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { AppError, EXIT } from '../../runtime/errors.ts';
import { journalPath, readJournal, type JournalEntry } from './journal.ts';
import { POSITIONS_PER_LIST } from './leads.ts';

/** The database's id, made with it; the journal's first line repeats it. */
export function databaseIdOf(db: Database): string {
  db.prepare("INSERT INTO meta VALUES ('database_id', ?) ON CONFLICT DO NOTHING").run(randomUUID());
  return db.prepare("SELECT value FROM meta WHERE key = 'database_id'").pluck().get() as string;
}

/**
 * Compares the dial journal with the attempts. A line without a row shows a dial that the database has
 * forgotten (it was set back): it comes back as an `unknown` attempt, so that nobody is called again for it.
 *
 * @returns how many attempts came back
 * @throws AppError `JOURNAL_MISSING`, `JOURNAL_OF_ANOTHER_DATABASE`, `JOURNAL_BEYOND_DATABASE` (exit 5):
 *   where this cannot be made good, dialling is refused
 */
export function recoverFromJournal(db: Database, databasePath: string, databaseId: string): number {
  const path = journalPath(databasePath);
  const verified = Number(
    db.prepare("SELECT value FROM meta WHERE key = 'journal_verified'").pluck().get() ?? 0,
  );
  const dialled = db.prepare('SELECT 1 FROM attempts LIMIT 1').pluck().get() !== undefined;
  const journal = readJournal(path, verified);
  if (journal === undefined) {
    if (dialled) throw journalMissing(databasePath, path);
    return 0;
  }
  try {
    if (journal.databaseId !== null && journal.databaseId !== databaseId) {
      throw new AppError(
        'JOURNAL_OF_ANOTHER_DATABASE',
        `The dial journal ${path} belongs to another database than ${databasePath}: whom that one called is not known here, so nobody is called.`,
        {
          hint: 'Put the old database back beside its journal (`callsheet restore FILE` does, from a backup), or give the new one a path of its own with --db.',
          exitCode: EXIT.person,
        },
      );
    }
    if (dialled && (journal.databaseId === null || journal.size < verified)) {
      throw journalMissing(databasePath, path);
    }
    return restore(db, journal.entries, { path, databasePath, size: journal.size });
  } finally {
    journal.close();
  }
}

function restore(
  db: Database,
  entries: Iterable<JournalEntry>,
  place: { path: string; databasePath: string; size: number },
): number {
  const isKnown = db
    .prepare<[number, string], number>('SELECT 1 FROM attempts WHERE seq = ? AND key = ?')
    .pluck();
  const setVerified = db.prepare(
    "INSERT INTO meta VALUES ('journal_verified', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  const run = db.transaction(() => {
    let restored = 0;
    for (const entry of entries) {
      if (isKnown.get(entry.seq, entry.key) !== undefined) continue;
      restoreAttempt(db, entry, place);
      restored += 1;
    }
    setVerified.run(String(place.size));
    return restored;
  });
  return run.immediate();
}

function restoreAttempt(
  db: Database,
  entry: JournalEntry,
  place: { path: string; databasePath: string },
): void {
  const campaign = db
    .prepare<[string], { settings: string }>('SELECT settings FROM campaigns WHERE id = ?')
    .get(entry.campaignId);
  if (campaign === undefined) {
    throw new AppError(
      'JOURNAL_BEYOND_DATABASE',
      `The dial journal ${place.path} tells of calls for a campaign that ${place.databasePath} does not know: the database is older than those calls, so nobody is called.`,
      {
        hint: 'Put a newer backup in its place, one that has the campaign: `callsheet restore FILE`.',
        exitCode: EXIT.person,
      },
    );
  }
  const { longestCallMs } = JSON.parse(campaign.settings) as { longestCallMs: number };
  const leadRow = leadRowFor(db, entry);
  closeEarlier(db, leadRow, entry.key);
  const ordinal = ordinalFor(db, leadRow, entry.ordinal);
  db.prepare(
    `INSERT INTO attempts (seq, key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at,
       holds_until, slot_until, owner_host, owner_boot, owner_pid, detail)
     VALUES ((SELECT CASE WHEN EXISTS (SELECT 1 FROM attempts WHERE seq = @seq) THEN NULL ELSE @seq END),
       @key, @campaignId, @leadRow, @phone, @service, @agent, @ordinal, 'unknown', @intentAt,
       @holdsUntil, @holdsUntil, '', '', 0, 'the database was set back to before this call; the dial journal still has it')`,
  ).run({ ...entry, leadRow, ordinal, holdsUntil: entry.intentAt + longestCallMs });
  db.prepare(
    `UPDATE leads SET state = 'calling', result = NULL, result_source = NULL, reason = NULL, spent = max(spent, ?)
     WHERE row = ?`,
  ).run(ordinal, leadRow);
}

/**
 * A later dial to the same person proves that the earlier one was over by then: under the same key it had
 * been released; under another one it had ended in a way that is forgotten.
 */
function closeEarlier(db: Database, leadRow: number, key: string): void {
  db.prepare(
    `UPDATE attempts SET state = iif(key = @key, 'released', 'unconfirmed'),
       slot_until = iif(key = @key, NULL, holds_until), released = iif(key = @key, seq, 0)
     WHERE lead_row = @leadRow AND (state IN ('intent', 'unknown') OR state = 'unconfirmed' AND key = @key)`,
  ).run({ leadRow, key });
}

/** Its own, or the next free one where another call that counts has it: the person was perhaps called twice. */
function ordinalFor(db: Database, leadRow: number, ordinal: number): number {
  const counting = db
    .prepare<[number], number>(
      "SELECT ordinal FROM attempts WHERE lead_row = ? AND state <> 'released'",
    )
    .pluck()
    .all(leadRow);
  return counting.includes(ordinal) ? Math.max(...counting) + 1 : ordinal;
}

/** The lead of a forgotten dial; where the database was set back to before its list, a lead that stands for it. */
function leadRowFor(db: Database, entry: JournalEntry): number {
  const select = db
    .prepare<[string, string], number>('SELECT row FROM leads WHERE campaign_id = ? AND phone = ?')
    .pluck();
  const known = select.get(entry.campaignId, entry.phone);
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
  return select.get(entry.campaignId, entry.phone) as number;
}

function journalMissing(databasePath: string, path: string): AppError {
  return new AppError(
    'JOURNAL_MISSING',
    `The database ${databasePath} has made calls, but its dial journal ${path} is missing or cut short: a restored copy could call people again, so nobody is called.`,
    {
      hint: `Put ${path} back beside the database (copy both together). Where it is lost for good, \`callsheet export\` still writes the results; ask the service whom it has called since, and begin a new database (--db) with a list of the others.`,
      exitCode: EXIT.person,
    },
  );
}
