import type {
  ConsoleStore,
  ListeningConsole,
  LogEntry,
  LogQuery,
  NewSession,
  TokenRecord,
  Upload,
  UserRecord,
} from '../console.ts';
import type { Engine } from './engine.ts';
import { groupCommit } from './group-commit.ts';
import { each, sqlOf, type MethodsOf, type Sql } from './sql.ts';

type ConsoleMethods = MethodsOf<Omit<ConsoleStore, 'close'>>;

/** Makes methods of the port from synchronous functions; `run` runs each call. */
const asMethods = each as unknown as <Name extends keyof ConsoleMethods>(
  run: <T>(work: () => T) => Promise<T>,
  functions: Pick<ConsoleMethods, Name>,
) => Pick<ConsoleStore, Name>;

function uploadTable(sql: Sql) {
  const insert = sql.run(
    'INSERT INTO uploads (id, name, path, bytes, at, machine) VALUES (@id, @name, @path, @bytes, @at, @machine)',
  );
  const remove = sql.run('DELETE FROM uploads WHERE id = ?');
  const select = 'SELECT id, name, path, bytes, at, machine FROM uploads';
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

/** Implements the console's port on one open connection. A promise of a write resolves once it is on disk. */
export function createConsole(engine: Pick<Engine, 'db' | 'failures'>): ConsoleStore {
  const { db, failures } = engine;
  const sql = sqlOf(db);
  const group = groupCommit(engine);
  const users = userTable(sql);
  const tokens = tokenTable(sql);
  const sessions = sessionTables(sql, users.reads.findUser);
  const listening = listeningTable(sql);
  const uploads = uploadTable(sql);
  const log = logTable(sql);

  const explained = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw failures.explain(error);
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
      group.end();
      db.close();
    },
  };
}

const USER_COLUMNS =
  'name, role, transcripts, password, changed_at AS changedAt, created_at AS createdAt';

/** In the statement itself: two admins may take each other away at one moment. */
const LEAVES_AN_ADMIN = `(@keepsAdmin = 0 OR role <> 'admin'
  OR EXISTS (SELECT 1 FROM users AS other WHERE other.role = 'admin' AND other.name <> users.name))`;

function userTable(sql: Sql) {
  const insert = sql.run(
    `INSERT INTO users (name, role, transcripts, password, changed_at, created_at)
     VALUES (@name, @role, @transcripts, @password, @changedAt, @createdAt) ON CONFLICT DO NOTHING`,
  );
  const updateRole = sql.run(
    `UPDATE users SET role = @role, transcripts = @transcripts
     WHERE lower(name) = lower(@name) AND (@role = 'admin' OR ${LEAVES_AN_ADMIN})`,
  );
  const updatePassword = sql.run(
    'UPDATE users SET password = @password, changed_at = @changedAt WHERE lower(name) = lower(@name)',
  );
  const deleteSessions = sql.run('DELETE FROM sessions WHERE lower("user") = lower(?)');
  const deleteUser = sql.run(
    `DELETE FROM users WHERE lower(name) = lower(@name) AND ${LEAVES_AN_ADMIN}`,
  );
  const flags = { flags: ['transcripts'] } as const;

  return {
    reads: {
      findUser: sql.row<[name: string], UserRecord>(
        `SELECT ${USER_COLUMNS} FROM users WHERE lower(name) = lower(?)`,
        flags,
      ),
      users: sql.rows<[], UserRecord>(
        `SELECT ${USER_COLUMNS} FROM users ORDER BY lower(name)`,
        flags,
      ),
    } satisfies Partial<ConsoleMethods>,
    writes: {
      addUser: (user) => insert({ ...user, transcripts: Number(user.transcripts) }) === 1,
      setRole: ({ transcripts, keepsAdmin, ...user }) =>
        updateRole({
          ...user,
          transcripts: Number(transcripts),
          keepsAdmin: Number(keepsAdmin),
        }) === 1,
      setPassword: (user) => {
        deleteSessions(user.name);
        return updatePassword(user) === 1;
      },
      removeUser: ({ name, keepsAdmin }) =>
        deleteUser({ name, keepsAdmin: Number(keepsAdmin) }) === 1,
    } satisfies Partial<ConsoleMethods>,
  };
}

function sessionTables(sql: Sql, findUser: (name: string) => UserRecord | undefined) {
  const insertOfUser = sql.run<[NewSession & { passwordAt: number }]>(
    `INSERT INTO sessions (hash, "user", created_at, expires_at)
     SELECT @hash, name, @createdAt, @expiresAt FROM users WHERE lower(name) = lower(@user) AND changed_at = @passwordAt`,
  );
  const insertOfLink = sql.run<[NewSession]>(
    `INSERT INTO sessions (hash, "user", created_at, expires_at) VALUES (@hash, NULL, @createdAt, @expiresAt)`,
  );
  const deleteExpired = sql.run<[now: number]>('DELETE FROM sessions WHERE expires_at <= ?');
  const deleteSession = sql.run<[hash: string]>('DELETE FROM sessions WHERE hash = ?');
  const select = sql.row<
    [{ hash: string; now: number }],
    { user: string | null; expiresAt: number }
  >(
    'SELECT "user", expires_at AS expiresAt FROM sessions WHERE hash = @hash AND expires_at > @now',
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
        const record = findUser(user);
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

function tokenTable(sql: Sql) {
  const insert = sql.run(
    `INSERT INTO tokens (id, name, role, transcripts, hash, created_at)
     VALUES (@id, @name, @role, @transcripts, @hash, @createdAt) ON CONFLICT DO NOTHING`,
  );
  const updateUsed = sql.run('UPDATE tokens SET last_used_at = @at WHERE id = @id');
  const deleteToken = sql.run('DELETE FROM tokens WHERE lower(name) = lower(?)');
  const flags = { flags: ['transcripts'] } as const;

  return {
    reads: {
      findToken: sql.row<[hash: string], TokenRecord>(
        `SELECT ${COLUMNS} FROM tokens WHERE hash = ?`,
        flags,
      ),
      tokens: sql.rows<[], TokenRecord>(
        `SELECT ${COLUMNS} FROM tokens ORDER BY lower(name)`,
        flags,
      ),
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

const MOST_ENTRIES = 500;

interface Page extends Record<'text' | 'who' | 'what', string | null> {
  before: number | null;
  limit: number;
  from: number | null;
  to: number | null;
  /** A JSON array. */
  kinds: string;
}

function logTable(sql: Sql) {
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

function listeningTable(sql: Sql) {
  const upsert = sql.run(
    `INSERT INTO listening (machine, url, owner, at) VALUES (@machine, @url, @owner, @at)
     ON CONFLICT (machine, url) DO UPDATE SET owner = excluded.owner, at = excluded.at`,
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
        const { owner } = console;
        upsert({ ...console, machine: owner.host, owner: JSON.stringify(owner) });
      },
      removeListening: ({ url, owner }) => {
        deleteOwn({ url, owner: JSON.stringify(owner) });
      },
    } satisfies Partial<ConsoleMethods>,
  };
}
