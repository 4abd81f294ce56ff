import type { Writable } from 'node:stream';
import type { MessageKind, Operator, Underway, World } from '../app/world.ts';
import type { ExitCode } from '../runtime/errors.ts';

/** Everything outside the program that a command may touch, so that a test can run the whole command line. */
export interface Io extends Omit<World, keyof Operator | 'data'> {
  /** For data only, never messages. */
  stdout: Writable;
  /** For progress, questions and messages. */
  stderr: Writable;
  stdoutIsTty: boolean;
  stderrIsTty: boolean;
  stdinIsTty: boolean;
  /** `--services` as typed, for commands in messages. */
  services?: string | undefined;
  /** Whether messages begin with the time unless a flag decides; true where stderr is read later. */
  logTime: boolean;
  /** Which messages are shown and logged; undefined: all are shown as they are, none is logged. */
  messages?: Messages | undefined;
  /** Width of the terminal; 80 off a terminal. */
  columns: number;
  /** Absolute paths of Node and of this script, to start the program where PATH differs, e.g. in cron. */
  program: readonly [node: string, script: string];
  /** `process.platform`. */
  platform: string;
  /** Shows an address in the browser of this machine; rejects when that fails. */
  openBrowser(url: string): Promise<void>;
  /** For a command that works for days: see `keepHeapSmall`. */
  keepHeapSmall(): void;
  /** Messages may have colours; data never has. Default false. */
  colour?: boolean;
  /**
   * Calls `listener` for every Ctrl-C, termination signal and closed terminal from now on. Without a listener, each of
   * them ends the process as usual. A closed terminal is not reported if the process was started to ignore that
   * (`nohup`).
   *
   * @returns stops listening
   */
  onSignal(listener: (signal: Signal) => void): () => void;
  /** Set while Ctrl-C ends the command with a sentence on what is stored so far; see `interruptible`. */
  underway?: CommandUnderway;
}

export interface CommandUnderway extends Underway {
  /** From now on, another part of the command handles Ctrl-C. */
  over(): void;
}

/** The outside world as commands see it, with the operator. */
export interface CommandIo extends Io, Omit<Operator, 'underway'>, Pick<World, 'data'> {
  /** Ends the command line with this code now; work in progress is dropped. */
  leave(code: ExitCode): void;
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Decides which messages are shown and logged, and how their lines begin. */
export interface Messages {
  /** Id of this run, six hex digits, at the beginning of its lines. */
  readonly id: string;
  readonly quiet: boolean;
  /** No more questions follow: from now on `quiet` hides messages, which were shown as context of a question. */
  begun(): void;
  shows(kind: MessageKind, code?: ExitCode): boolean;
  /** The lines as stderr gets them: with time and id if those are wanted. */
  headed(lines: string): string;
  keep(lines: string): void;
  /** The log file of this moment, an absolute path. */
  readonly file: string | undefined;
  /** A line for stderr that names the log file, when `quiet` has hidden messages and the exit code is not normal. */
  restOf(code: ExitCode): string | undefined;
}
