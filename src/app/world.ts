import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../runtime/clock.ts';
import type { ExitCode } from '../runtime/errors.ts';
import type { NewId } from '../runtime/ids.ts';
import type { ProcessIdentity } from '../runtime/process.ts';
import type { Random } from '../runtime/random.ts';
import type { VoiceServiceOptions } from '../service/voice-service.ts';
import type { VoiceService } from '../service/port.ts';
import type { HistoryEntry } from '../store/port.ts';

/**
 * What a function of the application may touch of the outside world. A face (the command line, later the console)
 * gives it; tests give one whose clock, chance and services are theirs.
 */
export interface World extends Operator {
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute; paths that people give start from here. */
  cwd: string;
  /** What was piped in: the list that is called `-`. */
  stdin: Readable;
  /** Where results go that are to be written to `-`. */
  data: Writable;
  /** The database that was named; undefined: the default one. */
  db?: string | undefined;
  clock: Clock;
  random: Random;
  newId: NewId;
  /** The machine's IANA zone. */
  timezone: string;
  /** Operating-system user, for the history. */
  user: string;
  /** The user's number, whose files are trusted; undefined where the system has none. */
  userId: number | undefined;
  owner: ProcessIdentity;
  /** Makes the client of a service. Tests lead an address that counts as live to loopback here. */
  connect(options: VoiceServiceOptions): Promise<VoiceService>;
}

/** What the operator does now, as the history of a campaign keeps it. */
export function historyEntry(
  { clock, user }: World,
  what: string,
  detail: HistoryEntry['detail'] = {},
): HistoryEntry {
  return { at: clock.now(), who: user, what, detail };
}

/** What a message is: `told` as things go, a `problem`, or the `end` of a run, whose exit code may be no news. */
export type MessageKind = 'told' | 'problem' | 'end';

/** The person who gave the order, as far as somebody is there. */
export interface Operator {
  /** Somebody sees questions and can answer them. False in cron: whatever would be asked is refused. */
  attended: boolean;
  /** Told one sentence; commands in it stand in backticks. Default kind `told`. */
  tell(sentence: string, kind?: MessageKind, code?: ExitCode): void;
  /** Keeps where an unforeseen error happened, for the next morning; an `AppError` needs no stack. */
  keepStack(error: unknown): void;
  /** Asks for a typed yes (or `word`). Anything else, and nobody to ask, is a no. */
  confirm(question: string, word?: string): Promise<boolean>;
  /** Asks for a line of text; undefined: nobody answered. */
  ask(question: string): Promise<string | undefined>;
  /** Shows how far the rows of a list are read or written, e.g. `Reading leads.csv`. */
  progress(what: string): RowProgress;
  /** Aborts when the operator gives up what is being read or imported, before a call could be made. */
  underway?: Underway;
}

export interface RowProgress {
  onProgress: (rows: { done: number; total: number }) => void;
  stop: () => void;
}

/** What an interruption finds while a list is read, imported or asked about: before a call could be made. */
export interface Underway {
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** What is in by now, e.g. `12,000 of 40,000 rows of leads.csv are in`; undefined: nothing was changed. */
  kept: string | undefined;
  /** Done where the work has to be left while it waits for somebody. */
  readonly cleanUps: Set<() => Promise<void>>;
}
