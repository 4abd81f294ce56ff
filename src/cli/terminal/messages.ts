import type { MessageKind } from '../../app/world.ts';
import type { ExitCode } from '../../runtime/errors.ts';

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
