import { randomUUID } from 'node:crypto';

import { INTENT_LIMIT_MS } from '../../../domain/attempt.ts';
import type { CampaignSettings } from '../../../domain/campaign.ts';
import { nightOf } from '../../../domain/nights/night.ts';
import type { AppError } from '../../../runtime/errors.ts';
import { zoneOffsets } from '../../../runtime/time-zones.ts';
import type { JournalEntry } from '../../claims.ts';
import type { Sql } from '../sql.ts';
import { COUNTS, DIAL_PERIOD_MS, DIALLED_AGAIN } from '../tables/attempt-rows.ts';
import { leadCounts, POSITIONS_PER_LIST } from '../tables/lead-ends.ts';
import { recountNights } from '../tables/nights/nights.ts';
import { keyOf } from './intents.ts';
import { possibleDialStatements, type DamagedLine, type PossibleDial } from './possible-dials.ts';

/** The database's id, created on first use; the journal's first line repeats it. */
export function databaseIdOf(sql: Sql): string {
  sql.run<[id: string]>("INSERT INTO meta VALUES ('database_id', ?) ON CONFLICT DO NOTHING")(
    randomUUID(),
  );
  return sql.value<[], string>("SELECT value FROM meta WHERE key = 'database_id'")() as string;
}

/** What is kept of the last comparison with a journal. */
export interface JournalNotes {
  /** `dialled`: there must be a journal. `verified`: its length then; `tail` undefined: it was never compared. */
  read(): { dialled: boolean; verified: number; tail: string | undefined };
  /** The last attempt then; undefined as above. */
  lastSeq(): number | undefined;
  /** Numbers of later attempts that the journal must have, as the service has answered them: their lines were synced before. */
  answeredSince(seq: number): number[];
  /** Called in the transaction that restores dials. */
  write(compared: Compared): void;
}

export interface Compared {
  verified: number;
  tail: string;
  seq: number;
  /** How many dials came back. */
  restored: number;
  /** False: a damaged line is left. */
  isWhole: boolean;
}

/** The notes of a database in a file, which has one journal. */
export function notesInFile(sql: Sql): JournalNotes {
  const selectAny = sql.value<[], number>('SELECT 1 FROM attempts LIMIT 1');
  const noted = sql.value<[key: string], string>('SELECT value FROM meta WHERE key = ?');
  const note = sql.run<[key: string, value: string]>(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const selectAnswered = sql.values<[since: number], number>(
    "SELECT seq FROM attempts WHERE seq > ? AND answered_at IS NOT NULL AND owner_host <> ''",
  );
  return {
    read: sql.atOneMoment(() => ({
      dialled: selectAny() !== undefined,
      verified: Number(noted('journal_verified') ?? 0),
      tail: noted('journal_tail'),
    })),
    lastSeq: () => {
      const seq = noted('journal_seq');
      return seq === undefined ? undefined : Number(seq);
    },
    answeredSince: selectAnswered,
    write: ({ verified, tail, seq }) => {
      note('journal_verified', String(verified));
      note('journal_tail', tail);
      note('journal_seq', String(seq));
    },
  };
}

/** A journal's lines since the notes, and what the journal itself says of them. */
interface JournalLines {
  /** The time now: everybody a damaged line may be about counts as called. Undefined: the first damaged line is returned. */
  mendAt: number | undefined;
  /**
   * Calls `use` for every dial; called with the write lock held, when each answered dial has its line.
   * @returns the damaged lines, and the last dial
   */
  read(use: (entry: JournalEntry) => void): {
    damage: DamagedLine[];
    last: JournalEntry | undefined;
  };
  /** See `JournalContent`. */
  readTo(): number;
  tailBefore(offset: number): string;
  refusals: {
    /** The journal names a campaign that the database does not have. */
    beyond(): AppError;
    /** The journal lacks a dial. */
    missing(): AppError;
    /** The line may be about anybody. */
    unmendable: (line: DamagedLine) => AppError;
  };
}

/** Compares lines of a dial journal with the attempts, and adds the dials that only the journal has. */
export function restoreStatements(sql: Sql, notes: JournalNotes) {
  const selectDialled = sql.value<[seq: number, key: string], number>(
    'SELECT intent_at FROM attempts WHERE seq = ? AND key = ?',
  );
  const possibleDials = possibleDialStatements(sql, selectDialled);
  const selectLastSeq = sql.value<[], number>('SELECT coalesce(max(seq), 0) FROM attempts');
  const selectSettings = sql.value<[id: string], string>(
    'SELECT settings FROM campaigns WHERE id = ?',
  );
  const extendAgain = sql.run<[{ seq: number; at: number; until: number }]>(
    `UPDATE attempts SET ${DIALLED_AGAIN} WHERE seq = @seq AND coalesce(begins_at, 0) < @at`,
  );
  const countReplay = sql.run<[dueAt: number, seq: number]>(
    'UPDATE replayable_dials SET replays = replays + 1, due_at = ? WHERE attempt_seq = ?',
  );
  const selectSeq = sql.value<[seq: number], number>('SELECT 1 FROM attempts WHERE seq = ?');
  const selectRenumbered = sql.value<[JournalEntry & { period: number }], number>(
    `SELECT intent_at FROM attempts WHERE dial_period = @period AND phone = @phone AND intent_at = @intentAt
       AND key = @key AND owner_host = ''`,
  );
  const insertAttempt = (columns: string, values: string) =>
    sql.run<[AttemptRow]>(
      `INSERT INTO attempts (${columns}key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at, begins_at,
         holds_until, slot_until, owner_host, owner_boot, owner_pid, night, detail)
       VALUES (${values}@key, @campaignId, @leadRow, @phone, @service, @agent, @ordinal, 'unknown', @intentAt, @beginsAt,
         @holdsUntil, @holdsUntil, '', '', 0, @night, 'the database was replaced by a copy from before this call; the dial journal still has it')`,
    );
  const insertNumbered = insertAttempt('seq, ', '@seq, ');
  const insertNew = insertAttempt('', '');
  const updateLead = sql.run<[spent: number, row: number]>(
    `UPDATE leads SET state = 'calling', result = NULL, result_source = NULL, reason = NULL, spent = max(spent, ?)
     WHERE row = ?`,
  );
  // A later dial to the same person proves that the earlier attempt was over by then. With the same key it had been
  // released; with another key it had ended, and its outcome is lost.
  const closeEarlier = sql.run<[{ leadRow: number; key: string }]>(
    `UPDATE attempts SET state = CASE WHEN key = @key THEN 'released' ELSE 'unconfirmed' END,
       slot_until = CASE WHEN key = @key THEN NULL ELSE holds_until END, released = CASE WHEN key = @key THEN seq ELSE 0 END
     WHERE lead_row = @leadRow AND (state IN ('intent', 'unknown') OR state = 'unconfirmed' AND key = @key)`,
  );
  const selectOrdinals = sql.values<[row: number], number>(
    `SELECT ordinal FROM attempts WHERE lead_row = ? AND ${COUNTS}`,
  );
  const insertList = sql.run<[{ listId: string; campaignId: string; at: number }]>(
    `INSERT INTO lists (id, campaign_id, number, path, sha256, headers, at, finished_at)
     SELECT @listId, @campaignId, coalesce(max(number), 0) + 1, '(dial journal)', 'journal', '["phone"]', @at, @at
     FROM lists WHERE campaign_id = @campaignId ON CONFLICT DO NOTHING`,
  );
  const insertLead = sql.run<
    [{ campaignId: string; listId: string; seq: number; phone: string; cells: string }]
  >(
    `INSERT INTO leads (campaign_id, list_id, position, line, phone, cells)
     SELECT @campaignId, id, number * ${POSITIONS_PER_LIST} + @seq, @seq, @phone, @cells
     FROM lists WHERE id = @listId`,
  );
  const selectPosition = sql.value<[row: number], number>(
    'SELECT position FROM leads WHERE row = ?',
  );
  const selectLeads = sql.rows<
    [{ campaignId: string; dial: string }],
    { row: number; phone: string }
  >(
    `SELECT row, phone FROM leads WHERE campaign_id = @campaignId AND phone = @dial
     UNION ALL SELECT row, leads.phone FROM lead_numbers JOIN leads ON leads.row = lead_row
       WHERE lead_numbers.phone = @dial AND campaign_id = @campaignId`,
  );
  const countLead = leadCounts(sql);

  /** @returns `damage`: the first damaged line, unless it was mended; `lines`: how many are damaged */
  function restoreAll(journal: JournalLines, since: number | undefined) {
    const { mendAt, refusals } = journal;
    const inJournal = new Set<number>();
    const campaigns = new Set<string>();
    let restored = 0;
    const add = (dial: JournalEntry | PossibleDial) => {
      restoreAttempt(dial, settingsOf(dial, refusals));
      campaigns.add(dial.campaignId);
      restored += 1;
    };
    const { damage, last } = journal.read((entry) => {
      inJournal.add(entry.seq);
      const known = selectDialled(entry.seq, entry.key) ?? renumbered(entry);
      if (known === undefined) add(entry);
      else if (entry.intentAt > known) dialAgain(entry, settingsOf(entry, refusals));
    });
    const taken =
      mendAt === undefined
        ? []
        : damage.flatMap((line) => possibleDials(line, { last, mendAt, ...refusals }));
    for (const dial of taken) add(dial);
    for (const id of campaigns) recountNights(sql, id);
    const first = mendAt === undefined ? damage[0] : undefined;
    if (
      damage.length === 0 &&
      since !== undefined &&
      notes.answeredSince(since).some((seq) => !inJournal.has(seq))
    )
      throw refusals.missing();
    const verified = first?.at ?? journal.readTo();
    notes.write({
      verified,
      tail: journal.tailBefore(verified),
      seq: selectLastSeq() ?? 0,
      restored,
      isWhole: first === undefined,
    });
    return { restored, damage: first, lines: damage.length, taken: taken.length };
  }

  /** Lines behind damage are read at each start until that is mended: an attempt may have come back already. */
  function renumbered(entry: JournalEntry): number | undefined {
    if (selectSeq(entry.seq) === undefined) return undefined;
    const period = Math.floor(entry.intentAt / DIAL_PERIOD_MS);
    return selectRenumbered({ ...entry, period });
  }

  function settingsOf(
    { campaignId }: { campaignId: string },
    refusals: JournalLines['refusals'],
  ): CampaignSettings {
    const settings = selectSettings(campaignId);
    if (settings === undefined) throw refusals.beyond();
    return JSON.parse(settings) as CampaignSettings;
  }

  /** The same dial was sent again: unless the database knows that, the times of the last one hold, and it counts. */
  function dialAgain({ seq, intentAt: at }: JournalEntry, settings: CampaignSettings): void {
    const until = at + settings.longestCallMs;
    if (extendAgain({ seq, at, until }) !== 0) countReplay(at + INTENT_LIMIT_MS, seq);
  }

  function restoreAttempt(entry: JournalEntry | PossibleDial, settings: CampaignSettings): void {
    const leadRow = 'leadRow' in entry ? entry.leadRow : leadRowFor(entry);
    closeEarlier({ leadRow, key: entry.key });
    const ordinal = ordinalFor(leadRow, entry.ordinal);
    const isNumbered = entry.seq !== null && selectSeq(entry.seq) === undefined;
    const beginsAt = 'beginsAt' in entry ? entry.beginsAt : null;
    const at = beginsAt ?? entry.intentAt;
    (isNumbered ? insertNumbered : insertNew)({
      ...entry,
      leadRow,
      ordinal,
      beginsAt,
      holdsUntil: at + settings.longestCallMs,
      night: nightOf(at, settings, zoneOffsets(settings.policy?.zoneOverrides ?? [])),
    });
    updateLead(ordinal, leadRow);
  }

  /** The ordinal in the journal, or the next free one when another attempt that counts has it (perhaps called twice). */
  function ordinalFor(leadRow: number, ordinal: number): number {
    const counting = selectOrdinals(leadRow);
    return counting.includes(ordinal) ? Math.max(...counting) + 1 : ordinal;
  }

  /** The lead of a lost dial; if the database is older than the lead's list, a new lead in a list for such leads. */
  function leadRowFor(entry: JournalEntry): number {
    const known = leadOfDial(entry);
    if (known !== undefined) return known;
    const { campaignId, seq, phone, intentAt: at } = entry;
    const listId = `journal-${campaignId}`;
    insertList({ listId, campaignId, at });
    insertLead({ campaignId, listId, seq, phone, cells: JSON.stringify([phone]) });
    const row = leadOfDial(entry) as number;
    countLead(campaignId, [{ position: selectPosition(row) as number, zoneKey: '' }]);
    return row;
  }

  /** The lead with this number as its own or as a further one; of several the one whose key was dialled. */
  function leadOfDial({ campaignId, phone: dial, ordinal, key }: JournalEntry) {
    const leads = selectLeads({ campaignId, dial });
    const spent = ordinal - 1;
    const isDialled = ({ phone }: { phone: string }) =>
      Array.from({ length: MOST_NOT_CALLED }, (_, notCalled) => notCalled).some(
        (notCalled) => keyOf(campaignId, { phone, dial, spent, notCalled }) === key,
      );
    return (leads.length > 1 ? (leads.find(isDialled) ?? leads[0]) : leads[0])?.row;
  }

  return {
    restore: (journal: JournalLines) => {
      const since = notes.lastSeq();
      return sql.alone(() => restoreAll(journal, since));
    },
  };
}

/** Calls that a service takes and ends without ringing are part of a key; so many of one lead are tried. */
const MOST_NOT_CALLED = 32;

interface AttemptRow extends Omit<JournalEntry, 'seq'> {
  seq: number | null;
  leadRow: number;
  beginsAt: number | null;
  holdsUntil: number;
  night: string;
}
