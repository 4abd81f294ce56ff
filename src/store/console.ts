import type { ProcessIdentity } from '../runtime/process.ts';

export type Role = 'viewer' | 'operator' | 'admin';

export interface UserRecord {
  /** Capital and small letters are the same. */
  name: string;
  role: Role;
  /** As it was given; the role decides, too, whether it counts. */
  transcripts: boolean;
  /** A slow hash with parameters and salt; see src/app/access/identity.ts. */
  password: string;
  /** When the password was last set. */
  changedAt: number;
  createdAt: number;
}

export interface TokenRecord {
  id: string;
  /** Capital and small letters are the same. */
  name: string;
  role: Role;
  transcripts: boolean;
  /** Of the token's text, which is kept nowhere. */
  hash: string;
  createdAt: number;
  /** To the minute; null: never. */
  lastUsedAt: number | null;
}

export interface NewSession {
  /** Of the cookie's value. */
  hash: string;
  /** Null: the user of the one-time link. */
  user: string | null;
  createdAt: number;
  expiresAt: number;
}

export interface FoundSession {
  /** As the user is now; null: the user of the one-time link. */
  user: UserRecord | null;
  expiresAt: number;
}

/** A console that listens for browsers, or did when its process ended. */
export interface ListeningConsole {
  /** Its base address without a trailing slash. */
  url: string;
  owner: ProcessIdentity;
  at: number;
}

/** A file that was uploaded and that no draft and no suppression list has taken yet. */
export interface Upload {
  id: string;
  /** As the file is called where it came from. */
  name: string;
  /** Where it is, absolute. */
  path: string;
  bytes: number;
  at: number;
  /** The host that took it and has the file; null: not known. */
  machine: string | null;
}

export interface NewLogEntry {
  at: number;
  /** A user, `token NAME`, or the operating-system user. */
  who: string;
  /** noun.pastVerb, e.g. `user.added`. */
  what: string;
  /** What it was done to, e.g. the name of a campaign. */
  target: string | null;
  /** `done`, `refused`, or the code of an error. */
  outcome: string;
  /** Never a secret. */
  detail: Record<string, unknown>;
}

/** Ascending in the order of writing. */
export type LogEntry = NewLogEntry & { id: number };

export interface LogQuery {
  /** Only entries with a smaller id; null: from the newest. */
  before: number | null;
  /** 1 to 500. */
  limit: number;
  /** Occurs in any of the columns; capital and small ASCII letters are the same. */
  text?: string | undefined;
  /** Kinds whose words contain the text: their entries match, too. */
  kinds?: readonly string[] | undefined;
  /** Exactly. */
  who?: string | undefined;
  /** Exactly. */
  what?: string | undefined;
  /** Not before this moment. */
  from?: number | undefined;
  /** Before this moment. */
  to?: number | undefined;
}

/**
 * The store of the console: who may do what, what was sent to it, and who did what. It is apart from the store of
 * campaigns, so that looking at users never creates a database of calls. All times are epoch ms.
 */
export interface ConsoleStore {
  // Users
  /** False: the name is taken. */
  addUser(user: UserRecord): Promise<boolean>;
  findUser(name: string): Promise<UserRecord | undefined>;
  /** By name. */
  users(): Promise<UserRecord[]>;
  /** False: there is no such user, or no other admin would be left where it `keepsAdmin`. */
  setRole(
    user: Pick<UserRecord, 'name' | 'role' | 'transcripts'> & { keepsAdmin: boolean },
  ): Promise<boolean>;
  /** Ends all sessions of the user. False: there is no such user. */
  setPassword(user: Pick<UserRecord, 'name' | 'password' | 'changedAt'>): Promise<boolean>;
  /** Ends all sessions of the user. False as for `setRole`. */
  removeUser(user: Pick<UserRecord, 'name'> & { keepsAdmin: boolean }): Promise<boolean>;

  // Tokens
  /** False: the name is taken. */
  addToken(token: Omit<TokenRecord, 'lastUsedAt'>): Promise<boolean>;
  findToken(hash: string): Promise<TokenRecord | undefined>;
  markTokenUsed(token: { id: string; at: number }): Promise<void>;
  /** By name. */
  tokens(): Promise<TokenRecord[]>;
  /** False: there is no such token. */
  removeToken(name: string): Promise<boolean>;

  // Sessions
  /**
   * Begins a session of a user whose password was set at `passwordAt`, and deletes expired sessions. False: the user is
   * gone or has another password.
   */
  addSession(session: NewSession & { user: string; passwordAt: number }): Promise<boolean>;
  /** Undefined: there is none, or it has expired at `now`. */
  findSession(query: { hash: string; now: number }): Promise<FoundSession | undefined>;
  /** False: there was none. */
  endSession(hash: string): Promise<boolean>;
  /** Adds a one-time link, and deletes those that expired before `now`. */
  addLink(link: { hash: string; expiresAt: number; now: number }): Promise<void>;
  /** Uses the link and begins its session, both or neither. False: it is unknown, used or expired. */
  useLink(link: { hash: string; session: NewSession & { user: null } }): Promise<boolean>;

  // Consoles that listen
  /** Replaces one at the same address. */
  addListening(console: ListeningConsole): Promise<void>;
  /** The newest first. */
  listening(): Promise<ListeningConsole[]>;
  /** Only the one of this process, as another process may listen there now. */
  removeListening(console: Pick<ListeningConsole, 'url' | 'owner'>): Promise<void>;

  // Uploads
  addUpload(upload: Upload): Promise<void>;
  findUpload(id: string): Promise<Upload | undefined>;
  /** The oldest first. */
  uploads(): Promise<Upload[]>;
  /** False: there was none. The file is the caller's. */
  removeUpload(id: string): Promise<boolean>;

  // Who did what; only appended to
  appendLog(entry: NewLogEntry): Promise<void>;
  /** The newest first. */
  logPage(query: LogQuery): Promise<LogEntry[]>;
  /** Everybody and everything that entries name, in the order of the alphabet; at most 500 of each. */
  logNames(): Promise<{ who: string[]; what: string[] }>;

  /** Writes what is queued, and closes the file. */
  close(): Promise<void>;
}
