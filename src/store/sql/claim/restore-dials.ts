import { INTENT_LIMIT_MS } from '../../../domain/attempt.ts';
import type { CampaignSettings } from '../../../domain/campaign.ts';
import { nightOf } from '../../../domain/nights/night.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { AppError } from '../../../runtime/errors.ts';
import { zoneOffsets } from '../../../runtime/time-zones.ts';
import type { JournalEntry } from '../../claims.ts';
import type { Sql } from '../sql.ts';
import { COUNTS, DIALLED_AGAIN } from '../tables/attempt-rows.ts';
import { leadCounts, POSITIONS_PER_LIST } from '../tables/lead-ends.ts';
import { recountNights } from '../tables/nights/nights.ts';
import { keyOf } from './intents.ts';
import type { JournalNotes } from './journal-notes.ts';

/** A damaged line of the journal, with the nearest intact dials before and after it. */
export interface DamagedLine {
  /** Offset in the file. */
  at: number;
  text: string;
  before: JournalEntry | undefined;
  after: JournalEntry | undefined;
}

/** A journal's lines since the notes, and what the journal itself says of them. */
interface JournalLines {
  /** True: everybody a damaged line may be about counts as called. */
  mend: boolean;
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
    unmendable(line: DamagedLine): AppError;
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
  const insertAttempt = (columns: string, values: string) =>
    sql.run<[AttemptRow]>(
      `INSERT INTO attempts (${columns}key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at,
         holds_until, slot_until, owner_host, owner_boot, owner_pid, night, detail)
       VALUES (${values}@key, @campaignId, @leadRow, @phone, @service, @agent, @ordinal, 'unknown', @intentAt,
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
    const { mend, refusals } = journal;
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
      const known = selectDialled(entry.seq, entry.key);
      if (known === undefined) add(entry);
      else if (entry.intentAt > known) dialAgain(entry, settingsOf(entry, refusals));
    });
    const taken = mend ? damage.flatMap((line) => possibleDials(line, last, refusals)) : [];
    for (const dial of taken) add(dial);
    for (const id of campaigns) recountNights(sql, id);
    const first = mend ? undefined : damage[0];
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
    (isNumbered ? insertNumbered : insertNew)({
      ...entry,
      leadRow,
      ordinal,
      holdsUntil: entry.intentAt + settings.longestCallMs,
      night: nightOf(entry.intentAt, settings, zoneOffsets(settings.policy?.zoneOverrides ?? [])),
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
  holdsUntil: number;
  night: string;
}

/** A dial whose sequence number is not known. */
type PossibleDial = Omit<JournalEntry, 'seq'> & { seq: null; leadRow: number };

/** After this time every claim that was in progress has been committed or its process has ended, ms. */
const LONGEST_CLAIM_MS = 10 * 60_000;

/** @param selectDialled finds an attempt */
function possibleDialStatements(
  sql: Sql,
  selectDialled: (seq: number, key: string) => number | undefined,
) {
  const selectWaiting = sql.iterate<[], WaitingLead>(
    `SELECT leads.row, campaign_id AS campaignId, phone, spent, not_called AS notCalled, service, settings,
       (SELECT json_group_array(phone) FROM lead_numbers WHERE lead_row = leads.row) AS others
     FROM leads JOIN campaigns ON campaigns.id = leads.campaign_id WHERE leads.state = 'waiting'`,
  );
  const selectKey = sql.value<[key: string], number>('SELECT 1 FROM attempts WHERE key = ?');
  const selectOwn = sql.value<[seq: number, key: string], number>(
    "SELECT 1 FROM attempts WHERE seq = ? AND key = ? AND owner_host <> ''",
  );

  function waitingIn({ text, before, after }: DamagedLine): PossibleDial[] {
    const dials: PossibleDial[] = [];
    for (const lead of selectWaiting()) {
      const { campaignId, spent, service, settings } = lead;
      // The database may be older than the line, so that another of the person's numbers is dialled next.
      const numbers = [lead.phone, ...(JSON.parse(lead.others) as E164[])];
      const named = numbers
        .map((dial) => ({ dial, key: keyOf(campaignId, { ...lead, dial }) }))
        .find(({ dial, key }) => text.includes(key) || text.includes(`"${dial}"`));
      if (named === undefined) continue;
      const { agent } = JSON.parse(settings) as CampaignSettings;
      const intentAt = before?.intentAt ?? after?.intentAt ?? 0;
      const { key, dial: phone } = named;
      const dial = { campaignId, key, ordinal: spent + 1, phone, service, agent, intentAt };
      dials.push({ seq: null, leadRow: lead.row, ...dial });
    }
    return dials;
  }

  /** True when sequence number and key are readable, and the database has the attempt with both. */
  function isThere({ text }: DamagedLine): boolean {
    const [, seq] = /"seq":(\d+),/.exec(text) ?? [];
    const [, key] = /"key":"([0-9a-f]{32})"/.exec(text) ?? [];
    return seq !== undefined && key !== undefined && selectDialled(Number(seq), key) !== undefined;
  }

  /** True when a key in the line is that of an attempt in the database, so that the line is not about a waiting lead. */
  function isKnown({ text }: DamagedLine): boolean {
    return [...text.matchAll(/[0-9a-f]{32}/g)].some(([key]) => selectKey(key) !== undefined);
  }

  /** True when this database itself wrote an attempt long after the line; a recovered attempt would prove nothing. */
  function isCovered({ before, after }: DamagedLine, last: JournalEntry | undefined): boolean {
    const neighbour = after ?? before;
    if (last === undefined || neighbour === undefined) return false;
    if (last.intentAt < neighbour.intentAt + LONGEST_CLAIM_MS) return false;
    return selectOwn(last.seq, last.key) !== undefined;
  }

  /**
   * The waiting leads whose number or key is in a damaged line. The line endangers nobody when its key is that of an
   * attempt in the database, or when the database itself has written an attempt that was journalled long after the line.
   * @param last the last whole line of the journal
   */
  return (
    line: DamagedLine,
    last: JournalEntry | undefined,
    refusals: JournalLines['refusals'],
  ): PossibleDial[] => {
    if (isThere(line)) return [];
    const found = waitingIn(line);
    if (found.length > 0) return found;
    if (!isKnown(line) && !isCovered(line, last)) throw refusals.unmendable(line);
    return [];
  };
}

interface WaitingLead extends Pick<JournalEntry, 'campaignId' | 'service'> {
  phone: E164;
  row: number;
  spent: number;
  notCalled: number;
  settings: string;
  /** The person's further numbers, a JSON array. */
  others: string;
}
