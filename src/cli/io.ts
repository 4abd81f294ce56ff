import type { Writable } from 'node:stream';
import type { MessageKind, Operator, Underway, World } from '../app/world.ts';
import type { ExitCode } from '../runtime/errors.ts';

/** Everything a command may touch of the outside world, so that the whole command line runs in a test. */
export interface Io extends Omit<World, keyof Operator | 'data'> {
  /** Data only. */
  stdout: Writable;
  /** Progress, questions and messages. */
  stderr: Writable;
  stdoutIsTty: boolean;
  stderrIsTty: boolean;
  stdinIsTty: boolean;
  /** Messages begin with their time where no flag says otherwise: stderr is read later. */
  logTime: boolean;
  /** Which messages are shown and kept; left out: all are shown as they are. */
  messages?: Messages | undefined;
  /** Width of the terminal; 80 off a terminal. */
  columns: number;
  /** What runs this program wherever the PATH is another: absolute paths of Node and of the script. */
  program: readonly [node: string, script: string];
  /** Messages may have colours; data never has. Default false. */
  colour?: boolean;
  /**
   * Calls `listener` for every Ctrl-C, termination and closed terminal from now on; while nobody listens, each ends
   * the process as usual. A closed terminal is not told where it was to be ignored from the start (`nohup`).
   *
   * @returns stops listening
   */
  onSignal(listener: (signal: Signal) => void): () => void;
  /** Set while Ctrl-C ends the command with a sentence on what was kept; see `interruptible`. */
  underway?: CommandUnderway;
}

export interface CommandUnderway extends Underway {
  /** From now on somebody else listens for Ctrl-C. */
  over(): void;
}

/** What a command gets. */
export interface CommandIo extends Io, Omit<Operator, 'underway'>, Pick<World, 'data'> {
  /** Ends the command line with this code now: what is still under way is dropped. */
  leave(code: ExitCode): void;
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Which messages are shown and kept, and how their lines begin. */
export interface Messages {
  /** Of this run, at the head of its lines: six hex digits. */
  readonly id: string;
  readonly quiet: boolean;
  /** From now on nobody is asked, so that nothing has to be shown for the question's sake. */
  begun(): void;
  shows(kind: MessageKind, code?: ExitCode): boolean;
  /** The same lines as stderr gets them. */
  headed(lines: string): string;
  /** Appends lines to the log file, if there is one. */
  keep(lines: string): void;
  /** Its log file, absolute, as it is named now. */
  readonly file: string | undefined;
  /** Where the rest is, as stderr gets it, for who was told only of a problem. */
  restOf(code: ExitCode): string | undefined;
}
