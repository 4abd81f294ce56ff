import type { Readable, Writable } from 'node:stream';
import type { Messages } from './terminal/messages.ts';
import type { Clock } from '../runtime/clock.ts';
import type { NewId } from '../runtime/ids.ts';
import type { ProcessIdentity } from '../runtime/process.ts';
import type { Random } from '../runtime/random.ts';
import type { ExitCode } from '../runtime/errors.ts';
import type { VoiceServiceOptions } from '../service/voice-service.ts';
import type { VoiceService } from '../service/port.ts';
import type { Store } from '../store/port.ts';
import type { ThreadOptions } from '../store/sqlite/worker/client.ts';

/** Everything a command may touch of the outside world, so that the whole command line runs in a test. */
export interface Io {
  /** Data only. */
  stdout: Writable;
  /** Progress, questions and messages. */
  stderr: Writable;
  stdin: Readable;
  stdoutIsTty: boolean;
  stderrIsTty: boolean;
  stdinIsTty: boolean;
  /** Messages begin with their time where no flag says otherwise: stderr is read later. */
  logTime: boolean;
  /** Which messages are shown and kept; left out: all are shown as they are. */
  messages?: Messages | undefined;
  /** Width of the terminal; 80 off a terminal. */
  columns: number;
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute; all paths of flags start from here. */
  cwd: string;
  /** What runs this program wherever the PATH is another: absolute paths of Node and of the script. */
  program: readonly [node: string, script: string];
  /** Messages may have colours; data never has. Default false. */
  colour?: boolean;
  /** What --db says; commands in messages repeat it. */
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
  /** Opens a database on a thread of its own; tests stay on theirs. */
  openStore(options: ThreadOptions): Promise<Store>;
  /**
   * Calls `listener` for every Ctrl-C, termination and closed terminal from now on; while nobody listens, each ends
   * the process as usual. A closed terminal is not told where it was to be ignored from the start (`nohup`).
   *
   * @returns stops listening
   */
  onSignal(listener: (signal: Signal) => void): () => void;
  /** Set while Ctrl-C ends the command with a sentence on what was kept; see `interruptible`. */
  underway?: Underway;
}

/** What Ctrl-C finds while a command reads, imports or asks: before a call could be made. */
export interface Underway {
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** What is in by now, e.g. `12,000 of 40,000 rows of leads.csv are in`; undefined: nothing was changed. */
  kept: string | undefined;
  /** Done where the command has to be left while it waits for somebody. */
  readonly cleanUps: Set<() => Promise<void>>;
  /** From now on somebody else listens for Ctrl-C. */
  over(): void;
}

/** What a command gets. */
export interface CommandIo extends Io {
  /** Ends the command line with this code now: what is still under way is dropped. */
  leave(code: ExitCode): void;
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
