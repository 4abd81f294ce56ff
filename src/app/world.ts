import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../runtime/clock.ts';
import type { ExitCode } from '../runtime/errors.ts';
import type { NewId, Random } from '../runtime/random.ts';
import type { ProcessIdentity } from '../runtime/process.ts';
import type { VoiceServiceOptions } from '../service/voice-service.ts';
import type { VoiceService } from '../service/port.ts';
import type { Disk } from '../store/sqlite/file/ballast.ts';
import type { PasswordCost } from './access/identity.ts';
import type { HistoryEntry } from '../store/port.ts';

/**
 * What a function of the application may touch of the outside world. The user interface, today the command line,
 * provides it; tests provide their own clock, randomness and services.
 */
export interface World extends Operator {
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute; paths that people give start from here. */
  cwd: string;
  /** Standard input; as a list, it is given as `-`. */
  stdin: Readable;
  /** Where results go that are written to `-`. */
  data: Writable;
  /** The database that a flag named; undefined: the default one. */
  db?: string | undefined;
  /** The file that a flag named, with the password of a database on a server. */
  dbPasswordFile?: string | undefined;
  /** The folder that a flag named for the dial journal of a database on a server. */
  journal?: string | undefined;
  /** Of that journal; default: the real one. */
  disk?: Disk | undefined;
  clock: Clock;
  random: Random;
  newId: NewId;
  /** The machine's IANA zone. */
  timezone: string;
  /** Operating-system user, for the history. */
  user: string;
  /** The numeric user id, whose files are trusted; undefined where the system has none. */
  userId: number | undefined;
  owner: ProcessIdentity;
  /** How much work it is to check a password; default: as much as `access/identity.ts` says. Tests do not wait for it. */
  passwordCost?: PasswordCost | undefined;
  /** Makes the client of a service. Tests redirect an address that counts as live to loopback here. */
  connect(options: VoiceServiceOptions): Promise<VoiceService>;
}

/** A history entry for something that the operator does now. */
export function historyEntry(
  { clock, user }: World,
  what: string,
  detail: HistoryEntry['detail'] = {},
): HistoryEntry {
  return { at: clock.now(), who: user, what, detail };
}

/** A message is ordinary (`told`), a `problem`, or the `end` of a run, which may be hidden for a normal exit code. */
export type MessageKind = 'told' | 'problem' | 'end';

/** The person who gave the command, if one is present. */
export interface Operator {
  /** A person can see and answer questions. False in cron: whatever needs a question is refused. */
  attended: boolean;
  /** Shows one sentence; commands in it are in backticks. Default kind `told`. */
  tell(sentence: string, kind?: MessageKind, code?: ExitCode): void;
  /** Logs the stack of an unexpected error, to find its cause later; an `AppError` needs none. */
  readonly keepStack: (error: unknown) => void;
  /** Asks for a typed yes (or `word`). Any other answer, or nobody to ask, is a no. */
  confirm(question: string, word?: string): Promise<boolean>;
  /** Asks for a line of text; undefined: nobody answered. */
  ask(question: string): Promise<string | undefined>;
  /** Shows how many rows of a list are read or written, labelled with `what`, e.g. `Reading leads.csv`. */
  progress(what: string): RowProgress;
  /** Set while Ctrl-C can interrupt reading or importing, before any call could be made. */
  underway?: Underway;
}

/** For a world in which nobody is there to be asked. */
export const UNATTENDED = {
  attended: false,
  confirm: () => Promise.resolve(false),
  ask: () => Promise.resolve(undefined),
  progress: () => ({ onProgress: () => undefined, stop: () => undefined }),
} satisfies Partial<Operator>;

export interface RowProgress {
  onProgress: (rows: { done: number; total: number }) => void;
  stop: () => void;
}

/** Work that Ctrl-C may interrupt while a list is read, imported or asked about, before any call could be made. */
export interface Underway {
  readonly signal: AbortSignal;
  /** What is stored so far, e.g. `12,000 of 40,000 rows of leads.csv are in`; undefined: nothing was changed. */
  kept: string | undefined;
  /** True: the process does nothing else meanwhile. */
  hasOwnProcess?: boolean;
  /** Called when the command has to leave before its work has ended, e.g. while a service does not answer. */
  readonly cleanUps: Set<() => Promise<void>>;
}
