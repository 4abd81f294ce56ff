import { AppError, type ExitCode } from '../../../runtime/errors.ts';
import { afterThisTurn } from '../../../runtime/clock.ts';

/** What the threads of a store say to each other; see `openStoreOnThread`. */

export interface Call {
  id: number;
  /** A method of the port. */
  method: string;
  args: unknown[];
}

export interface Answer {
  id: number;
  value?: unknown;
  error?: SentError;
}

/** The first message of the store's thread. */
export type Opened = { recovered: number; warnings: string[] } | { error: SentError };

/** Errors lose their class and our own fields on the way. */
export type SentError =
  | {
      kind: 'app';
      code: string;
      message: string;
      hint: string | undefined;
      exitCode: ExitCode;
      cause: unknown;
    }
  | { kind: 'other'; error: unknown };

export function fromError(error: unknown): SentError {
  if (!(error instanceof AppError)) return { kind: 'other', error };
  const { code, message, hint, exitCode, cause } = error;
  return { kind: 'app', code, message, hint, exitCode, cause };
}

export function toError(sent: SentError): Error {
  if (sent.kind === 'other') {
    return sent.error instanceof Error ? sent.error : new Error(String(sent.error));
  }
  const { code, message, hint, exitCode, cause } = sent;
  return new AppError(code, message, { exitCode, cause, ...(hint !== undefined && { hint }) });
}

/** Gathers what is said in one turn into one message: each costs a wake-up of the other thread. */
export class Outbox<T> {
  readonly #post: (gathered: T[]) => void;
  #gathered: T[] = [];

  constructor(post: (gathered: T[]) => void) {
    this.#post = post;
  }

  put(one: T): void {
    this.#gathered.push(one);
    if (this.#gathered.length > 1) return;
    afterThisTurn(() => {
      const gathered = this.#gathered;
      this.#gathered = [];
      this.#post(gathered);
    });
  }
}
