import { AppError, EXIT, messageOf } from '../runtime/errors.ts';

/** Why no usable answer came, in a few words: undici's or the system's own, never empty. */
export function causeOf(error: unknown): string {
  // Several addresses were tried; the error about all of them has no text of its own.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const text = messageOf(first);
  const code = (first as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text;
}

/** `GET https://...`, for messages. */
export interface Request {
  method: string;
  url: string;
}

/** No answer came. */
export function unreachable(request: Request, error: unknown, hint: string): AppError {
  const message = `The service cannot be reached: ${line(request)}: ${causeOf(error)}.`;
  return new AppError('SERVICE_UNREACHABLE', message, { hint, cause: error });
}

/**
 * An answer that is no success, as the error it is for the person who reads it.
 *
 * @param excerpt the first 200 characters of the body, masked
 * @param waitMs how long it asks to be left alone, if it does
 */
export function refusal(
  request: Request,
  status: number,
  excerpt: string,
  waitMs: number | null = null,
): AppError {
  const said = excerpt === '' ? 'an empty body' : excerpt;
  if (status === 401 || status === 403) {
    return new AppError(
      'SERVICE_KEY_REFUSED',
      `The service refused the key: ${line(request)} was answered with HTTP ${status}: ${said}`,
      {
        hint: 'Put a valid key into the environment variable that the service names (keyEnv; VOICE_API_KEY by default).',
        exitCode: EXIT.key,
      },
    );
  }
  if (status >= 500 || status === 429) {
    const message = `The service does not work now: ${line(request)} was answered with HTTP ${status}: ${said}`;
    return new AppError('SERVICE_UNREACHABLE', message, { hint: tryAgain(waitMs) });
  }
  if (status >= 400 && status !== 404 && status !== 405) {
    const message = `The service refused ${line(request)} with HTTP ${status}: ${said}`;
    return new AppError('SERVICE_REFUSED', message, { hint: 'Correct what it names.' });
  }
  return unexpected(request, status, 'a 2xx answer was expected', excerpt);
}

function tryAgain(waitMs: number | null): string {
  if (waitMs === null || waitMs <= 0) return 'Try again later.';
  return `Try again in ${Math.ceil(waitMs / 1_000)} s: it asks for that.`;
}

/** An answer that is not what the profile expects. */
export function unexpected(
  request: Request,
  status: number,
  lookedFor: string,
  excerpt: string,
): AppError {
  const said = excerpt === '' ? 'an empty body' : excerpt;
  return new AppError(
    'SERVICE_ANSWER_UNEXPECTED',
    `${line(request)} was answered with HTTP ${status}, but ${lookedFor}; received: ${said}`,
    {
      hint: 'Check the address of the service and its profile.',
    },
  );
}

function line({ method, url }: Request): string {
  return `${method} ${url}`;
}
