import type { NewSession, UserRecord } from '../../console.ts';
import type { Sql } from '../sql.ts';
import type { ConsoleMethods } from './methods.ts';
import { USER_COLUMNS } from './users.ts';

/** The tables `sessions` and `links`. */
export function sessionTables(sql: Sql) {
  const insertOfUser = sql.run<[NewSession & { passwordAt: number }]>(
    `INSERT INTO sessions (hash, user, created_at, expires_at)
     SELECT @hash, name, @createdAt, @expiresAt FROM users WHERE name = @user AND changed_at = @passwordAt`,
  );
  const insertOfLink = sql.run<[NewSession]>(
    `INSERT INTO sessions (hash, user, created_at, expires_at) VALUES (@hash, NULL, @createdAt, @expiresAt)`,
  );
  const deleteExpired = sql.run<[now: number]>('DELETE FROM sessions WHERE expires_at <= ?');
  const deleteSession = sql.run<[hash: string]>('DELETE FROM sessions WHERE hash = ?');
  const select = sql.row<
    [{ hash: string; now: number }],
    { user: string | null; expiresAt: number }
  >('SELECT user, expires_at AS expiresAt FROM sessions WHERE hash = @hash AND expires_at > @now');
  const selectUser = sql.row<[name: string], UserRecord>(
    `SELECT ${USER_COLUMNS} FROM users WHERE name = ?`,
    { flags: ['transcripts'] },
  );
  const insertLink = sql.run('INSERT INTO links (hash, expires_at) VALUES (@hash, @expiresAt)');
  const deleteExpiredLinks = sql.run<[now: number]>('DELETE FROM links WHERE expires_at <= ?');
  const updateLink = sql.run<[{ hash: string; at: number }]>(
    'UPDATE links SET used_at = @at WHERE hash = @hash AND used_at IS NULL AND expires_at > @at',
  );

  return {
    reads: {
      findSession: (query) => {
        const found = select(query);
        if (found === undefined) return undefined;
        const { user, expiresAt } = found;
        if (user === null) return { user, expiresAt };
        const record = selectUser(user);
        // Another process may have removed the user a moment ago: that must not look like a one-time link.
        return record === undefined ? undefined : { user: record, expiresAt };
      },
    } satisfies Partial<ConsoleMethods>,
    writes: {
      addSession: (session) => {
        deleteExpired(session.createdAt);
        return insertOfUser(session) === 1;
      },
      endSession: (hash) => deleteSession(hash) === 1,
      addLink: ({ hash, expiresAt, now }) => {
        deleteExpiredLinks(now);
        insertLink({ hash, expiresAt });
      },
      useLink: ({ hash, session }) => {
        deleteExpired(session.createdAt);
        if (updateLink({ hash, at: session.createdAt }) !== 1) return false;
        insertOfLink(session);
        return true;
      },
    } satisfies Partial<ConsoleMethods>,
  };
}
