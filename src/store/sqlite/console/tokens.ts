import type { TokenRecord } from '../../console.ts';
import type { Sql } from '../sql.ts';
import type { ConsoleMethods } from './methods.ts';

const COLUMNS =
  'id, name, role, transcripts, hash, created_at AS createdAt, last_used_at AS lastUsedAt';

/** The table `tokens`. */
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
