import type { E164 } from '../../../domain/phone.ts';
import type {
  ListedSuppression,
  NewSuppression,
  SuppressingList,
  SuppressionFile,
  WaitingArea,
  SuppressionQuery,
  SuppressionRecord,
  SuppressionSource,
} from '../../port.ts';
import { atMost, type Methods, type Sql } from '../sql.ts';

export type SuppressionEntry = Pick<NewSuppression, 'source' | 'at' | 'note' | 'expiresAt'>;

/** The row `entry` suppresses its number at `now`: it was added after the last removal and has not expired. */
const IS_ADDED = "action = 'add' AND (expires_at IS NULL OR expires_at > @now)";
const inForce = (phone: string) => `${IS_ADDED}
  AND seq > coalesce((SELECT max(seq) FROM suppression AS lifted
    WHERE lifted.phone = ${phone} AND action = 'remove'), 0)`;
export const IN_FORCE = inForce('entry.phone');
/** Of one number: its last removal is looked up once, not for each of its entries. */
const IN_FORCE_OF_PHONE = inForce('@phone');

/** Entries that are read at once to find those of a page. */
const AT_ONCE = 250;

/** The table `suppression`. Rows are only appended, which triggers of the database enforce. */
export function suppressionTable(sql: Sql) {
  const selectAny = sql.value<[], number>('SELECT 1 FROM suppression LIMIT 1');
  // Of several entries of a number the one that lasts longest is shown, the first of them.
  const LONGEST = `FROM suppression AS entry WHERE phone = @phone AND ${IN_FORCE_OF_PHONE}
     ORDER BY expires_at IS NULL DESC, expires_at DESC, seq LIMIT 1`;
  const selectEntry = sql.row<[{ phone: string; now: number }], SuppressionEntry>(
    `SELECT source, at, note, expires_at AS expiresAt ${LONGEST}`,
  );
  const selectLongest = sql.value<[{ phone: string; now: number }], number>(
    `SELECT seq ${LONGEST}`,
  );
  const insert = sql.run(
    `INSERT INTO suppression (phone, action, at, source, note, who, expires_at, list)
     VALUES (@phone, @action, @at, @source, @note, @who, @expiresAt, @list)`,
  );
  const LASTS = 'coalesce(expires_at, 9e15)';
  // A list's entry can be taken back, and a file's is only about the number: neither replaces an entry of another
  // origin.
  const selectCovered = sql.value<[Covered], number>(
    `SELECT 1 FROM suppression AS entry WHERE phone = @phone AND ${IN_FORCE_OF_PHONE}
       AND ${LASTS} >= coalesce(@expiresAt, 9e15) AND (list IS NULL OR list = @list)
       AND (source <> 'file' OR @source = 'file') LIMIT 1`,
  );
  const selectOthers = sql.rows<[{ phone: E164; list: string; now: number }], NewSuppression>(
    `SELECT phone, at, source, note, who, expires_at AS expiresAt, list FROM suppression AS entry
     WHERE phone = @phone AND ${IN_FORCE_OF_PHONE} AND list IS DISTINCT FROM @list ORDER BY seq`,
  );
  const selectOfList = sql.values<[{ list: string; after: string; now: number }], E164>(
    `SELECT DISTINCT phone FROM suppression AS entry WHERE list = @list AND phone > @after AND ${IN_FORCE}
     ORDER BY phone LIMIT 1000`,
  );
  // Each entry is looked at once: to compare those of a number with each other would take the cube of its lists.
  const selectLists = sql.rows<[{ now: number }], SuppressingList>(
    `WITH lifts AS MATERIALIZED (SELECT phone, max(seq) AS lifted FROM suppression WHERE action = 'remove' GROUP BY phone),
       own AS MATERIALIZED (SELECT DISTINCT suppression.phone, list FROM suppression LEFT JOIN lifts ON lifts.phone = suppression.phone
         WHERE ${IS_ADDED} AND seq > coalesce(lifted, 0)),
       origins AS MATERIALIZED (SELECT phone, count(*) AS several FROM own GROUP BY phone)
     SELECT list, count(*) AS numbers, count(nullif(several, 1)) AS staying FROM own JOIN origins ON origins.phone = own.phone
     WHERE list IS NOT NULL GROUP BY list ORDER BY list`,
  );
  const updateWaiting = sql.run(
    `UPDATE leads SET state = 'done', result = 'suppressed', result_source = 'callsheet', reason = @reason
     WHERE campaign_id IN (SELECT id FROM campaigns) AND phone = @phone AND state = 'waiting'`,
  );
  // A lead with a further number waits for the claim, which goes on to it.
  const updateDialled = sql.run(
    `UPDATE leads SET state = 'done', result = 'suppressed', result_source = 'callsheet', reason = @reason
     WHERE row IN (SELECT lead_row FROM lead_numbers AS this WHERE phone = @phone AND NOT EXISTS
         (SELECT 1 FROM lead_numbers WHERE lead_row = this.lead_row AND ordinal > this.ordinal))
       AND dial_phone = @phone AND state = 'waiting'`,
  );
  const selectPage = sql.rows<[{ now: number; after: string; limit: number }], NewSuppression>(
    `WITH listed AS MATERIALIZED (SELECT phone, max(CASE WHEN action = 'remove' THEN seq ELSE 0 END) AS lifted
         FROM suppression WHERE phone > @after GROUP BY phone
         HAVING max(CASE WHEN ${IS_ADDED} THEN seq ELSE 0 END) > max(CASE WHEN action = 'remove' THEN seq ELSE 0 END)
         ORDER BY phone LIMIT @limit + 0)
     SELECT phone, at, source, note, who, expiresAt FROM
       (SELECT entry.phone, at, source, note, who, expires_at AS expiresAt,
          row_number() OVER (PARTITION BY entry.phone ORDER BY ${LASTS} DESC, seq) AS place
        FROM listed CROSS JOIN suppression AS entry ON entry.phone = listed.phone AND seq > lifted
        WHERE ${IS_ADDED}) AS ranked
     WHERE place = 1 ORDER BY phone`,
  );
  const selectNewest = sql.rows<[SuppressionQuery & { digits: string | null }], ListedSuppression>(
    `SELECT seq, phone, at, source, note, who, expires_at AS expiresAt FROM suppression
     WHERE seq < coalesce(@before, 9e15) AND ${IS_ADDED}
       AND (@text IS NULL OR instr(phone, @digits) > 0 OR instr(lower(note), lower(@text)) > 0)
     ORDER BY seq DESC LIMIT @limit + 0`,
  );
  const insertFile = sql.run(
    `INSERT INTO suppression_lists (path, as_of, at, who, registry, areas)
     VALUES (@path, @asOf, @at, @who, @registry, @areas)`,
  );
  const selectFiles = sql.rows<[], Omit<SuppressionFile, 'areas'> & { areas: string | null }>(
    `SELECT path, as_of AS asOf, at, who, registry, areas FROM suppression_lists
     ORDER BY as_of DESC, seq DESC LIMIT 2000`,
  );
  const selectAreas = sql.rows<[{ campaignId: string }], WaitingArea>(
    `SELECT DISTINCT substr(phone, 3, 3) AS area, zone_key AS zoneKey FROM leads
           WHERE campaign_id = @campaignId AND state <> 'done' AND phone >= '+1' AND phone < '+2'
         UNION SELECT substr(lead_numbers.phone, 3, 3), lead_numbers.zone_key FROM leads
           JOIN lead_numbers ON lead_numbers.lead_row = leads.row
           WHERE campaign_id = @campaignId AND state <> 'done' AND lead_numbers.phone >= '+1' AND lead_numbers.phone < '+2'`,
  );
  const selectCalled = sql.row<[seq: number], { phone: E164; campaign: string; simulated: 0 | 1 }>(
    `SELECT phone, campaigns.name AS campaign, simulated FROM attempts
     JOIN campaigns ON campaigns.id = attempts.campaign_id WHERE seq = ?`,
  );
  const selectNumbers = sql.values<[{ seq: number }], E164>(
    `SELECT leads.phone FROM attempts JOIN leads ON leads.row = lead_row WHERE seq = @seq
     UNION SELECT lead_numbers.phone FROM attempts JOIN lead_numbers USING (lead_row) WHERE seq = @seq`,
  );

  /** Each number is looked up once: to compare its entries with each other would take time by their square. */
  function newest({ limit, ...query }: SuppressionQuery): ListedSuppression[] {
    const digits = digitsOf(query.text);
    const longest = new Map<E164, number | undefined>();
    const page: ListedSuppression[] = [];
    let { before } = query;
    for (;;) {
      const some = selectNewest({ ...query, digits, before, limit: AT_ONCE });
      for (const entry of some) {
        const { phone, seq } = entry;
        if (!longest.has(phone)) longest.set(phone, selectLongest({ phone, now: query.now }));
        if (longest.get(phone) === seq) page.push(entry);
        if (page.length === limit) return page;
      }
      before = some.at(-1)?.seq ?? null;
      if (some.length < AT_ONCE) return page;
    }
  }

  function find(phone: E164, now: number): SuppressionEntry | undefined {
    return selectEntry({ phone, now });
  }

  /** @returns whether the entry was written, and how many waiting leads it ended */
  function add(entry: NewSuppression): { added: boolean; leads: number } {
    const { phone, at, expiresAt } = entry;
    const inForce = find(phone, at);
    const isNews =
      inForce === undefined ||
      (inForce.expiresAt !== null && (expiresAt === null || expiresAt > inForce.expiresAt));
    const list = entry.list ?? null;
    if (
      isNews ||
      selectCovered({ phone, now: at, expiresAt, list, source: entry.source }) === undefined
    )
      insert({ ...entry, list, action: 'add' });
    if (expiresAt !== null && expiresAt <= at) return { added: isNews, leads: 0 };
    const ended = { phone, reason: reasonOf(entry) };
    return { added: isNews, leads: updateWaiting(ended) + updateDialled(ended) };
  }

  return {
    find,
    /** @returns a function that finds the entry in force for a number; without any entry only one query is made */
    at: (now: number): ((phone: E164) => SuppressionEntry | undefined) =>
      selectAny() === undefined ? () => undefined : (phone) => find(phone, now),
    add,
    /** Suppresses all numbers of a person who asked in a call for no more calls; not after a simulated call. */
    addOptedOut: (attemptSeq: number, at: number): void => {
      const called = selectCalled(attemptSeq);
      if (called === undefined || called.simulated === 1) return;
      const own = `campaign ${called.campaign}`;
      for (const phone of new Set([called.phone, ...selectNumbers({ seq: attemptSeq })])) {
        const note = phone === called.phone ? own : `${own}, asked on ${called.phone}`;
        add({ phone, at, source: 'service', note, who: 'callsheet', expiresAt: null });
      }
    },
    writes: {
      suppress: (entries) => {
        const done = atMost(entries, 'suppress').map(add);
        const added = done.filter((one) => one.added).length;
        const leads = done.reduce((sum, one) => sum + one.leads, 0);
        return { added, known: entries.length - added, leads };
      },
      unsuppress: (entry) => {
        if (find(entry.phone, entry.at) === undefined) return false;
        insert({ ...entry, action: 'remove', source: 'operator', expiresAt: null, list: null });
        return true;
      },
      takeBackList: ({ list, after, ...entry }) => {
        const phones = selectOfList({ list, after: after ?? '', now: entry.at });
        for (const phone of phones) {
          const others = selectOthers({ phone, list, now: entry.at });
          insert({ ...entry, phone, action: 'remove', source: 'operator', expiresAt: null, list });
          for (const other of others) insert({ ...other, action: 'add' });
        }
        return phones;
      },
      addSuppressionFile: (file) => {
        insertFile({ ...file, areas: file.areas?.join() ?? null });
      },
    } satisfies Partial<Methods>,
    reads: {
      suppressionHistory: sql.rows<[phone: E164], SuppressionRecord>(
        `SELECT phone, action, at, source, note, who, expires_at AS expiresAt FROM suppression
         WHERE phone = ? ORDER BY seq`,
      ),
      suppressionFiles: () =>
        selectFiles().map((file) => ({ ...file, areas: file.areas?.split(',') ?? null })),
      suppressingLists: (now) => selectLists({ now }),
      waitingAreas: (campaignId) => selectAreas({ campaignId }),
      suppressionPage: sql.atOneMoment(newest),
      suppressions: (query) => selectPage({ ...query, after: query.after ?? '' }),
    } satisfies Partial<Methods>,
  };
}

interface Covered extends Pick<NewSuppression, 'phone' | 'expiresAt' | 'source'> {
  now: number;
  list: string | null;
}

export type SuppressionTable = ReturnType<typeof suppressionTable>;

/** The digits of what may be a part of a number as people write it, e.g. `(212) 555-01`; null: it is none. */
function digitsOf(text: string | null): string | null {
  return text !== null && /^[+\s().-]*\d[\d\s().-]*$/.test(text)
    ? text.replaceAll(/[^+\d]/g, '')
    : null;
}

/** The reason of a suppressed lead, for the results and for messages. */
export function reasonOf(entry: Omit<SuppressionEntry, 'expiresAt'>): string {
  return `on the suppression list (${whyOf(entry)})`;
}

/** Source, day and note of an entry, e.g. `by the operator on 2026-01-05: asked by mail`. */
export function whyOf({ source, at, note }: Omit<SuppressionEntry, 'expiresAt'>): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return `${SOURCES[source]} on ${day}${note === null ? '' : `: ${note}`}`;
}

const SOURCES: Readonly<Record<SuppressionSource, string>> = {
  operator: 'by the operator',
  file: 'by a file',
  list: 'by a do-not-call column',
  service: 'opted out in a call',
};
