import { AppError, EXIT, messageOf } from '../../runtime/errors.ts';
import { connectionTrouble } from './connection-trouble.ts';
import { excerptOf, isRedirect } from './excerpt.ts';
import type { HttpAnswer } from './exchange.ts';

/** Why no usable answer came, in a few words, never empty. */
export function causeOf(error: unknown): string {
  return troubleOf(error).why;
}

/** In plain words where the code is known, else undici's or the system's own. */
function troubleOf(error: unknown): { why: string; check?: string } {
  // Several addresses were tried; the error about all of them has no text of its own.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const text = messageOf(first);
  const { code: given, name, cert } = (first ?? {}) as ConnectionError;
  // undici knows no code for most of what is not HTTP.
  const code = given ?? (name === 'HTTPParserError' ? name : undefined);
  if (typeof code !== 'string') return { why: text };
  // Of an address that is a number the text does not say whose certificate it is.
  const known = connectionTrouble(code, `${text} ${cert?.subjectaltname ?? ''}`);
  return known ?? { why: text.includes(code) ? text : `${text} (${code})` };
}

interface ConnectionError {
  code?: unknown;
  name?: string;
  /** Of a certificate that was refused. */
  cert?: { subjectaltname?: string };
}

/** `GET https://...`, for messages. */
export interface Request {
  method: string;
  url: string;
}

/** An answer, as far as messages need it. */
type Answer = Pick<HttpAnswer, 'status' | 'text' | 'location'>;

/** No answer came. @param alsoDo what to do besides looking for the cause, a sentence */
export function unreachable(request: Request, error: unknown, alsoDo?: string): AppError {
  const { why, check = 'Check the address, the network and that the service runs.' } =
    troubleOf(error);
  const message = `The service cannot be reached: ${line(request)}: ${why}.`;
  const hint = alsoDo === undefined ? check : `${check} ${alsoDo}`;
  return new AppError('SERVICE_UNREACHABLE', message, { hint, cause: error });
}

/**
 * An answer that is no success, as the error it is for the person who reads it.
 *
 * @param answer its beginning is shown, masked
 * @param known.waitMs how long it asks to be left alone, if it does
 * @param known.keyAt where the key stands: a variable or a file
 */
export function refusal(
  request: Request,
  answer: Answer,
  known: { waitMs?: number | null; keyAt?: string | undefined } = {},
): AppError {
  const { status } = answer;
  const said = excerptOf(answer) || 'an empty body';
  if (status === 401 || status === 403) {
    return new AppError(
      'SERVICE_KEY_REFUSED',
      `The service refused the key: ${line(request)} was answered with HTTP ${status}: ${said}`,
      { hint: otherKey(known.keyAt), exitCode: EXIT.key },
    );
  }
  if (status >= 500 || status === 429) {
    const message = `The service does not work now: ${line(request)} was answered with HTTP ${status}: ${said}`;
    return new AppError('SERVICE_UNREACHABLE', message, { hint: tryAgain(known.waitMs ?? null) });
  }
  if (status >= 400 && status !== 404 && status !== 405) {
    const message = `The service refused ${line(request)} with HTTP ${status}: ${said}`;
    return new AppError('SERVICE_REFUSED', message, { hint: 'Correct what it names.' });
  }
  return unexpected(request, answer, 'a 2xx answer was expected');
}

function otherKey(keyAt: string | undefined): string {
  return keyAt === undefined
    ? 'Give a key that the service accepts.'
    : `Put a key that the service accepts into ${keyAt}: the one from there was sent.`;
}

function tryAgain(waitMs: number | null): string {
  if (waitMs === null || waitMs <= 0) return 'Try again later.';
  return `Try again in ${Math.ceil(waitMs / 1_000)} s: it asks for that.`;
}

/** An answer that is not what the profile expects. */
export function unexpected(request: Request, answer: Answer, lookedFor: string): AppError {
  const { status } = answer;
  const said = excerptOf(answer) || 'an empty body';
  return new AppError(
    'SERVICE_ANSWER_UNEXPECTED',
    `${line(request)} was answered with HTTP ${status}, but ${lookedFor}; received: ${said}`,
    {
      hint: isRedirect(status)
        ? 'Check the address of the service: if it has moved there, give the new one (--service-url, or `url` in services.yaml).'
        : 'Check the address of the service and its profile.',
    },
  );
}

function line({ method, url }: Request): string {
  return `${method} ${url}`;
}
