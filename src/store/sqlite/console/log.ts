import type { LogEntry, LogQuery } from '../../console.ts';
import type { Sql } from '../sql.ts';
import type { ConsoleMethods } from './methods.ts';

const MOST_ENTRIES = 500;

interface Page extends Record<'text' | 'who' | 'what', string | null> {
  before: number | null;
  limit: number;
}

/** The table `log`. */
export function logTable(sql: Sql) {
  const insert = sql.run(
    `INSERT INTO log (at, who, what, target, outcome, detail)
     VALUES (@at, @who, @what, @target, @outcome, @detail)`,
  );
  const selectPage = sql.rows<[Page], LogEntry>(
    `SELECT id, at, who, what, target, outcome, detail FROM log
     WHERE (@before IS NULL OR id < @before) AND (@who IS NULL OR who = @who)
       AND (@what IS NULL OR what = @what)
       AND (@text IS NULL OR who LIKE @text ESCAPE '\\' OR what LIKE @text ESCAPE '\\'
         OR target LIKE @text ESCAPE '\\' OR outcome LIKE @text ESCAPE '\\' OR detail LIKE @text ESCAPE '\\')
     ORDER BY id DESC LIMIT @limit + 0`,
    { json: ['detail'] },
  );

  return {
    reads: {
      logPage: ({ before, limit, text = '', who, what }: LogQuery) =>
        selectPage({
          before,
          limit: Math.min(Math.max(Math.trunc(limit), 1), MOST_ENTRIES),
          text: text === '' ? null : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`,
          who: who ?? null,
          what: what ?? null,
        }),
    } satisfies Partial<ConsoleMethods>,
    writes: {
      appendLog: (entry) => {
        insert({ ...entry, detail: JSON.stringify(entry.detail) });
      },
    } satisfies Partial<ConsoleMethods>,
  };
}
