import type { ListeningConsole, LogEntry, LogQuery } from '../../console.ts';
import type { Sql } from '../sql.ts';
import type { ConsoleMethods } from './connection.ts';

const MOST_ENTRIES = 500;

interface Page extends Record<'text' | 'who' | 'what', string | null> {
  before: number | null;
  limit: number;
  from: number | null;
  to: number | null;
  /** A JSON array. */
  kinds: string;
}

export function logTable(sql: Sql) {
  const insert = sql.run(
    `INSERT INTO log (at, who, what, target, outcome, detail)
     VALUES (@at, @who, @what, @target, @outcome, @detail)`,
  );
  const selectPage = sql.rows<[Page], LogEntry>(
    `SELECT id, at, who, what, target, outcome, detail FROM log
     WHERE (@before IS NULL OR id < @before) AND (@who IS NULL OR who = @who)
       AND (@what IS NULL OR what = @what)
       AND (@from IS NULL OR at >= @from) AND (@to IS NULL OR at < @to)
       AND (@text IS NULL OR who LIKE @text ESCAPE '\\' OR what LIKE @text ESCAPE '\\'
         OR target LIKE @text ESCAPE '\\' OR outcome LIKE @text ESCAPE '\\' OR detail LIKE @text ESCAPE '\\'
         OR what IN (SELECT value FROM json_each(@kinds)))
     ORDER BY id DESC LIMIT @limit + 0`,
    { json: ['detail'] },
  );

  const selectWho = sql.values<[], string>(
    `SELECT DISTINCT who FROM log ORDER BY who LIMIT ${MOST_ENTRIES}`,
  );
  const selectWhat = sql.values<[], string>(
    `SELECT DISTINCT what FROM log ORDER BY what LIMIT ${MOST_ENTRIES}`,
  );

  return {
    reads: {
      logPage: ({ before, limit, text = '', kinds = [], who, what, from, to }: LogQuery) =>
        selectPage({
          before,
          limit: Math.min(Math.max(Math.trunc(limit), 1), MOST_ENTRIES),
          text: text === '' ? null : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`,
          kinds: JSON.stringify(kinds),
          who: who ?? null,
          what: what ?? null,
          from: from ?? null,
          to: to ?? null,
        }),
      logNames: () => ({ who: selectWho(), what: selectWhat() }),
    } satisfies Partial<ConsoleMethods>,
    writes: {
      appendLog: (entry) => {
        insert({ ...entry, detail: JSON.stringify(entry.detail) });
      },
    } satisfies Partial<ConsoleMethods>,
  };
}

export function listeningTable(sql: Sql) {
  const upsert = sql.run(
    'INSERT OR REPLACE INTO listening (url, owner, at) VALUES (@url, @owner, @at)',
  );
  const deleteOwn = sql.run('DELETE FROM listening WHERE url = @url AND owner = @owner');

  return {
    reads: {
      listening: sql.rows<[], ListeningConsole>(
        'SELECT url, owner, at FROM listening ORDER BY at DESC, url',
        { json: ['owner'] },
      ),
    } satisfies Partial<ConsoleMethods>,
    writes: {
      addListening: (console) => {
        upsert({ ...console, owner: JSON.stringify(console.owner) });
      },
      removeListening: ({ url, owner }) => {
        deleteOwn({ url, owner: JSON.stringify(owner) });
      },
    } satisfies Partial<ConsoleMethods>,
  };
}
