import type { UserRecord } from '../../console.ts';
import type { Sql } from '../sql.ts';
import type { ConsoleMethods } from './methods.ts';

export const USER_COLUMNS =
  'name, role, transcripts, password, changed_at AS changedAt, created_at AS createdAt';

/** The table `users`. */
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
