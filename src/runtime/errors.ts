/** Exit codes. Where several apply, the first of these wins: interrupted, failed or usage, key, person, waiting, ok. */
export const EXIT = {
  /** Every lead is final. */
  ok: 0,
  failed: 1,
  /** Wrong usage or configuration, or not confirmed. */
  usage: 2,
  /** Leads wait for a later time; normal at night. */
  waiting: 3,
  /** The service refused the key. */
  key: 4,
  person: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * An error for the operator: the message says place, value and what is allowed, the hint says the next step. Any other
 * error that reaches the operator is a defect of callsheet.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  /** A stable code, one for each remedy, e.g. `LIST_HAS_NO_PHONE_COLUMN`. */
  readonly code: string;
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;
  /** The message as lines: a headline, and the lines to be indented below it. */
  readonly lines: readonly string[];
  /** What is wrong with each value that was given, where several can be; `field` is its key. */
  readonly fields: { field: string; detail: string }[] | undefined;

  /** @param message a sentence; or several lines: a headline, and a line for each problem */
  constructor(
    code: string,
    message: string | readonly string[],
    options: Partial<Pick<AppError, 'hint' | 'exitCode' | 'cause' | 'fields'>> = {},
  ) {
    const lines = typeof message === 'string' ? [message] : message;
    super(lines.join('\n  '), { cause: options.cause });
    this.lines = lines;
    this.code = code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? EXIT.failed;
    this.fields = options.fields;
  }
}

/** An error as answers tell it. */
export function troubleOf({ code, message, hint }: AppError) {
  return { code, detail: message, hint: hint ?? null };
}

/** What a function returns, or the refusal that it throws. */
export function attempt<T>(
  work: () => T,
): { value: T; error: null } | { value: null; error: AppError } {
  try {
    return { value: work(), error: null };
  } catch (error) {
    if (error instanceof AppError) return { value: null, error };
    throw error;
  }
}

/** The text of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An error in the input: wrong usage of the program, or a file that cannot be used (exit 2). */
export function usageError(
  code: string,
  message: string | readonly string[],
  hint: string,
  cause?: unknown,
): AppError {
  return new AppError(code, message, { hint, exitCode: EXIT.usage, cause });
}
