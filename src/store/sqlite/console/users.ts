import type { NewSession, TokenRecord, UserRecord } from '../../console.ts';
import type { Sql } from '../sql.ts';
import type { ConsoleMethods } from './connection.ts';

const USER_COLUMNS =
  'name, role, transcripts, password, changed_at AS changedAt, created_at AS createdAt';

export function userTable(sql: Sql) {
  const insert = sql.run(
    `INSERT INTO users (name, role, transcripts, password, changed_at, created_at)
     VALUES (@name, @role, @transcripts, @password, @changedAt, @createdAt) ON CONFLICT DO NOTHING`,
  );
  const updateRole = sql.run(
    'UPDATE users SET role = @role, transcripts = @transcripts WHERE name = @name',
  );
  const updatePassword = sql.run(
    'UPDATE users SET password = @password, changed_at = @changedAt WHERE name = @name',
  );
  const deleteSessions = sql.run('DELETE FROM sessions WHERE user = ?');
  const deleteUser = sql.run('DELETE FROM users WHERE name = ?');
  const flags = { flags: ['transcripts'] } as const;

  return {
    reads: {
      findUser: sql.row<[name: string], UserRecord>(
        `SELECT ${USER_COLUMNS} FROM users WHERE name = ?`,
        flags,
      ),
      users: sql.rows<[], UserRecord>(`SELECT ${USER_COLUMNS} FROM users ORDER BY name`, flags),
    } satisfies Partial<ConsoleMethods>,
    writes: {
      addUser: (user) => insert({ ...user, transcripts: Number(user.transcripts) }) === 1,
      setRole: (user) => updateRole({ ...user, transcripts: Number(user.transcripts) }) === 1,
      setPassword: (user) => {
        deleteSessions(user.name);
        return updatePassword(user) === 1;
      },
      removeUser: (name) => deleteUser(name) === 1,
    } satisfies Partial<ConsoleMethods>,
  };
}

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

const COLUMNS =
  'id, name, role, transcripts, hash, created_at AS createdAt, last_used_at AS lastUsedAt';

export function tokenTable(sql: Sql) {
  const insert = sql.run(
    `INSERT INTO tokens (id, name, role, transcripts, hash, created_at)
     VALUES (@id, @name, @role, @transcripts, @hash, @createdAt) ON CONFLICT (name) DO NOTHING`,
  );
  const updateUsed = sql.run('UPDATE tokens SET last_used_at = @at WHERE id = @id');
  const deleteToken = sql.run('DELETE FROM tokens WHERE name = ?');
  const flags = { flags: ['transcripts'] } as const;

  return {
    reads: {
      findToken: sql.row<[hash: string], TokenRecord>(
        `SELECT ${COLUMNS} FROM tokens WHERE hash = ?`,
        flags,
      ),
      tokens: sql.rows<[], TokenRecord>(`SELECT ${COLUMNS} FROM tokens ORDER BY name`, flags),
    } satisfies Partial<ConsoleMethods>,
    writes: {
      addToken: (token) => insert({ ...token, transcripts: Number(token.transcripts) }) === 1,
      markTokenUsed: (token) => {
        updateUsed(token);
      },
      removeToken: (name) => deleteToken(name) === 1,
    } satisfies Partial<ConsoleMethods>,
  };
}
