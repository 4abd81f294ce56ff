import { AppError, type ExitCode } from '../../runtime/errors.ts';
import type { Mended } from '../journal/recover.ts';
import type { ServerAddress } from './wire.ts';

/** A schema on a server. */
export interface ServerPlace {
  address: ServerAddress;
  schema: string;
  /** What the operator calls the database. */
  name: string;
  /** As in `Store`. */
  folder: string;
}

/** Absolute paths of a database that is moved. */
export interface MovePlaces {
  file: string;
  /** That of the users and tokens; it may be missing. */
  console: string;
}

/** How many rows were moved. */
export interface Moved {
  campaigns: number;
  leads: number;
  attempts: number;
  /** Of all tables. */
  rows: number;
  tables: number;
}

/** What a rehearsal asks for. */
export interface Taken {
  /** Path of the file to write, which is not there. */
  file: string;
  /** Null: a campaign that the database does not have. */
  campaignId: string | null;
  /** Also what is known of these people. */
  phones: readonly string[];
}

/** What the store's thread is started with. */
export interface ThreadOptions extends ServerPlace {
  /** As in `openSqliteStore`; `console` opens its store. The others do one thing and end, see `Deeds`. */
  mode: 'read' | 'write' | 'dial' | 'console' | keyof Deeds;
  /** For the others. */
  given?: unknown;
  /** Path of this machine's dial journal. */
  journal?: string;
  /** See `recoverFromJournal`. */
  mendAt?: number | undefined;
}

/** What a thread does that opens no store, each with what it takes and what it answers. */
export interface Deeds {
  /** Makes the schema, or brings it up to date. Answers its version before; null: it was made. */
  migrate: (place: ServerPlace) => number | null;
  look: (place: ServerPlace) => ServerFacts;
  move: (place: ServerPlace, from: MovePlaces) => Moved;
  take: (place: ServerPlace, what: Taken) => void;
}

/** What `doctor` says of a server. */
export interface ServerFacts {
  /** As a number: 150018. */
  version: number;
  schemaVersion: number;
  /** Of one statement; the middle of several. */
  roundTripMs: number;
  clockOffMs: number;
  /** Null: the server does not say it to this user. */
  standbys: { name: string | null; state: string | null }[];
}

/** Asks the store's thread for a method. */
export interface Call {
  id: number;
  method: string;
  args: readonly unknown[];
}

/** What the store's thread answers. */
export type Reply =
  | { id: number; value: unknown }
  | { id: number; failed: Packed }
  /** It is open, with these methods, and the first line of its journal must name this; or it could not be opened. */
  | { methods: readonly string[]; machine: string | undefined }
  /** Dials came back from the journal. */
  | { restored: number }
  | { mended: Mended }
  | { done: unknown }
  | { refused: Packed }
  /** After each transaction. */
  | { committed: boolean };

/** An error on its way to another thread, which would lose its class and its code. */
export interface Packed {
  message: string;
  stack: string | undefined;
  app?: { code: string; lines: readonly string[]; hint: string | undefined; exitCode: ExitCode };
  cause?: Packed | undefined;
}

export function pack(error: unknown): Packed {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined };
  const { message, stack, cause } = error;
  return {
    message,
    stack,
    ...(error instanceof AppError && {
      app: { code: error.code, lines: error.lines, hint: error.hint, exitCode: error.exitCode },
    }),
    ...(cause !== undefined && { cause: pack(cause) }),
  };
}

export function unpack({ message, stack, app, cause: inside }: Packed): Error {
  const cause = inside && unpack(inside);
  const error =
    app === undefined
      ? new Error(message, { cause })
      : new AppError(app.code, app.lines, {
          ...(app.hint !== undefined && { hint: app.hint }),
          exitCode: app.exitCode,
          cause,
        });
  if (stack !== undefined) error.stack = stack;
  return error;
}
