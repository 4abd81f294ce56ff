import type { Database } from 'better-sqlite3';
import type { E164 } from '../../../domain/phone.ts';
import type {
  NewSuppression,
  SuppressionFile,
  SuppressionSource,
  SuppressionStore,
} from '../../port.ts';

/** An entry that holds. */
export interface Held {
  source: SuppressionSource;
  at: number;
  note: string | null;
}

/** An entry holds a number when it was added after the last removal and has not expired. */
export const HOLDS = `action = 'add' AND (expires_at IS NULL OR expires_at > @now)
  AND seq > coalesce((SELECT max(seq) FROM suppression AS lifted
    WHERE lifted.phone = held.phone AND action = 'remove'), 0)`;

/** The table `suppression`: only appended to, also by the database's own triggers. */
export function suppressionTable(db: Database) {
  const selectAny = db.prepare<[], number>('SELECT 1 FROM suppression LIMIT 1').pluck();
  const selectHeld = db.prepare<[{ phone: string; now: number }], HeldRow>(
    `SELECT source, at, note, expires_at FROM suppression AS held WHERE phone = @phone AND ${HOLDS}
     ORDER BY expires_at IS NULL DESC, expires_at DESC, seq LIMIT 1`,
  );
  const insert = db.prepare(
    `INSERT INTO suppression (phone, action, at, source, note, who, expires_at)
     VALUES (@phone, @action, @at, @source, @note, @who, @expiresAt)`,
  );
  const updateWaiting = db.prepare(
    `UPDATE leads SET state = 'done', result = 'suppressed', result_source = 'callsheet', reason = @reason
     WHERE campaign_id IN (SELECT id FROM campaigns) AND phone = @phone AND state = 'waiting'`,
  );
  // Of several entries of one number the bare columns are those of the row with the maximum.
  const selectPage = db.prepare<[{ now: number; after: string; limit: number }], PageRow>(
    `SELECT phone, at, source, note, who, expires_at, max(coalesce(expires_at, 9e15)) AS lasts
     FROM suppression AS held WHERE phone > @after AND ${HOLDS}
     GROUP BY phone ORDER BY phone LIMIT @limit + 0`,
  );

  const insertFile = db.prepare(
    'INSERT INTO suppression_lists (path, as_of, at, who) VALUES (@path, @asOf, @at, @who)',
  );
  const selectFiles = db.prepare<[], SuppressionFile>(
    'SELECT path, as_of AS asOf, at, who FROM suppression_lists ORDER BY as_of DESC, seq DESC LIMIT 100',
  );
  const selectCalled = db.prepare<[number], { phone: E164; campaign: string; simulated: 0 | 1 }>(
    `SELECT phone, campaigns.name AS campaign, simulated FROM attempts
     JOIN campaigns ON campaigns.id = attempts.campaign_id WHERE seq = ?`,
  );

  function find(phone: E164, now: number): HeldRow | undefined {
    return selectHeld.get({ phone, now });
  }

  /** @returns whether it was written, and how many waiting leads ended by it */
  function add(entry: NewSuppression): { added: boolean; leads: number } {
    const held = find(entry.phone, entry.at);
    const isNews =
      held === undefined ||
      (held.expires_at !== null && (entry.expiresAt === null || entry.expiresAt > held.expires_at));
    if (isNews) insert.run({ ...entry, action: 'add' });
    if (entry.expiresAt !== null && entry.expiresAt <= entry.at) return { added: isNews, leads: 0 };
    const reason = reasonOf(entry);
    const { changes } = updateWaiting.run({ phone: entry.phone, reason });
    return { added: isNews, leads: changes };
  }

  return {
    /** Cheap: nothing else is asked of a database without entries. */
    isEmpty: (): boolean => selectAny.get() === undefined,
    find: (phone: E164, now: number): Held | undefined => find(phone, now),
    add,
    addAll(entries: Parameters<SuppressionStore['suppress']>[0]) {
      const done = entries.map((entry) => add(entry));
      const added = done.filter((one) => one.added).length;
      const leads = done.reduce((sum, one) => sum + one.leads, 0);
      return { added, known: entries.length - added, leads };
    },
    /** Whoever said in a call that they want no more calls; in a rehearsal nobody did. */
    addOptedOut(attemptSeq: number, at: number): void {
      const called = selectCalled.get(attemptSeq);
      if (called === undefined || called.simulated === 1) return;
      const { phone, campaign } = called;
      const note = `campaign ${campaign}`;
      add({ phone, at, source: 'service', note, who: 'callsheet', expiresAt: null });
    },
    remove({ phone, at, note, who }: Parameters<SuppressionStore['unsuppress']>[0]): boolean {
      if (find(phone, at) === undefined) return false;
      insert.run({ phone, action: 'remove', at, source: 'operator', note, who, expiresAt: null });
      return true;
    },
    addFile(file: SuppressionFile): void {
      insertFile.run(file);
    },
    files: (): SuppressionFile[] => selectFiles.all(),
    page: (now: number, after: string, limit: number): NewSuppression[] =>
      selectPage.all({ now, after, limit }).map((row) => ({
        phone: row.phone,
        at: row.at,
        source: row.source,
        note: row.note,
        who: row.who,
        expiresAt: row.expires_at,
      })),
  };
}

export type SuppressionTable = ReturnType<typeof suppressionTable>;

/** What stands in the results and in messages. */
export function reasonOf(held: Held): string {
  return `on the suppression list (${whyOf(held)})`;
}

/** `by the operator on 2026-01-05: asked by mail`. */
export function whyOf({ source, at, note }: Held): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return `${SOURCES[source]} on ${day}${note === null ? '' : `: ${note}`}`;
}

const SOURCES: Readonly<Record<SuppressionSource, string>> = {
  operator: 'by the operator',
  file: 'by a file',
  list: 'by a do-not-call column',
  service: 'opted out in a call',
};

interface HeldRow extends Held {
  expires_at: number | null;
}

interface PageRow extends HeldRow {
  phone: E164;
  who: string;
}
