import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../runtime/clock.ts';
import type { NewId } from '../runtime/ids.ts';
import type { ProcessIdentity } from '../runtime/process.ts';
import type { Random } from '../runtime/random.ts';
import type { ExitCode } from '../runtime/errors.ts';
import type { VoiceServiceOptions } from '../service/http.ts';
import type { VoiceService } from '../service/port.ts';
import type { Store } from '../store/port.ts';
import type { ThreadOptions } from '../store/sqlite/on-thread.ts';

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
  /** Width of the terminal; 80 off a terminal. */
  columns: number;
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute; all paths of flags start from here. */
  cwd: string;
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
   * Calls `listener` for every Ctrl-C and termination from now on; while nobody listens, either ends the
   * process as usual.
   *
   * @returns stops listening
   */
  onSignal(listener: (signal: Signal) => void): () => void;
}

/** What a command gets. */
export interface CommandIo extends Io {
  /** Ends the command line with this code now: what is still under way is dropped. */
  leave(code: ExitCode): void;
}

export type Signal = 'SIGINT' | 'SIGTERM';
