import type { ConsoleStore, Upload } from '../../console.ts';
import { groupCommit } from '../group-commit.ts';
import { sqlOf, type Sql } from '../sql.ts';
import {
  asMethods,
  explainConsoleFailure,
  openConsoleConnection,
  type ConsoleMethods,
} from './connection.ts';
import { listeningTable, logTable } from './log.ts';
import { sessionTables, tokenTable, userTable } from './users.ts';

function uploadTable(sql: Sql) {
  const insert = sql.run(
    'INSERT INTO uploads (id, name, path, bytes, at) VALUES (@id, @name, @path, @bytes, @at)',
  );
  const remove = sql.run('DELETE FROM uploads WHERE id = ?');
  const select = 'SELECT id, name, path, bytes, at FROM uploads';
  return {
    reads: {
      findUpload: sql.row<[id: string], Upload>(`${select} WHERE id = ?`),
      uploads: sql.rows<[], Upload>(`${select} ORDER BY at, id`),
    } satisfies Partial<ConsoleMethods>,
    writes: {
      addUpload: (upload) => {
        insert(upload);
      },
      removeUpload: (id) => remove(id) === 1,
    } satisfies Partial<ConsoleMethods>,
  };
}

/**
 * Opens the console's store, and creates a missing file. A promise of a write resolves once it is on disk.
 *
 * @param path absolute
 * @throws AppError see `openConsoleConnection`; methods: `CONSOLE_UNUSABLE`, `STORE_LOCKED`, `STORE_FULL`,
 *   `STORE_IO_FAILED`
 */
export function openSqliteConsole(path: string): ConsoleStore {
  const db = openConsoleConnection(path);
  const sql = sqlOf(db);
  const group = groupCommit(db);
  const users = userTable(sql);
  const tokens = tokenTable(sql);
  const sessions = sessionTables(sql);
  const listening = listeningTable(sql);
  const uploads = uploadTable(sql);
  const log = logTable(sql);

  const explained = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw explainConsoleFailure(error, path);
    }
  };
  let isOpen = true;
  const write = <T>(work: () => T) =>
    // A request may still write to the log after the console was closed.
    isOpen
      ? explained(() => group.submit(work))
      : Promise.reject(new Error('console.db is closed'));

  return {
    ...asMethods(explained, {
      ...users.reads,
      ...tokens.reads,
      ...sessions.reads,
      ...listening.reads,
      ...uploads.reads,
      ...log.reads,
    }),
    ...asMethods(write, {
      ...users.writes,
      ...tokens.writes,
      ...sessions.writes,
      ...listening.writes,
      ...uploads.writes,
      ...log.writes,
    }),
    close: async () => {
      isOpen = false;
      group.flush();
      db.close();
    },
  };
}
