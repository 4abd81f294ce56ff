import { AppError, EXIT, messageOf } from '../../runtime/errors.ts';
import { connectionTrouble } from './connection-trouble.ts';
import { excerptOf, isRedirect } from './excerpt.ts';
import { type HttpAnswer, isKeyRefused, isSilence } from './exchange.ts';

/** Why no usable answer came, in a few words; never empty. */
export function causeOf(error: unknown): string {
  return troubleOf(error).why;
}

/** In plain words if the code is known, otherwise the message of undici or the system. */
function troubleOf(error: unknown): { why: string; check?: string } {
  // If several addresses were tried, the AggregateError for all of them has no text of its own.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const text = messageOf(first);
  const {
    code: given,
    name,
    cert,
  } = (first ?? {}) as {
    code?: unknown;
    name?: string;
    /** The certificate that was refused. */
    cert?: { subjectaltname?: string };
  };
  // For most answers that are not HTTP, undici's error has a name and no code.
  const code = given ?? (name === 'HTTPParserError' ? name : undefined);
  if (typeof code !== 'string') return { why: text };
  // For a numeric address the error's text does not name the certificate's hosts.
  const known = connectionTrouble(code, `${text} ${cert?.subjectaltname ?? ''}`);
  return known ?? { why: text.includes(code) ? text : `${text} (${code})` };
}

/** `GET https://...`, for messages. */
export interface Request {
  method: string;
  url: string;
}

/** The parts of an answer that messages use. */
type Answer = Pick<HttpAnswer, 'status' | 'text' | 'location'>;

/**
 * The error for a request without an answer.
 *
 * @param alsoDo what to do besides looking for the cause, as a sentence
 */
export function unreachable(request: Request, error: unknown, alsoDo?: string): AppError {
  const { why, check = 'Check the address, the network and that the service runs.' } =
    troubleOf(error);
  const message = `The service cannot be reached: ${line(request)}: ${why}.`;
  const hint = alsoDo === undefined ? check : `${check} ${alsoDo}`;
  return new AppError('SERVICE_UNREACHABLE', message, { hint, cause: error });
}

/**
 * The error for an answer that is not 2xx.
 *
 * @param answer the message shows the beginning of its body, masked
 * @param known.waitMs what Retry-After asks for; null: nothing
 * @param known.keyAt the environment variable or file that holds the key
 */
export function refusal(
  request: Request,
  answer: Answer,
  { waitMs = null, keyAt }: { waitMs?: number | null; keyAt?: string | undefined } = {},
): AppError {
  const { status } = answer;
  const said = excerptOf(answer);
  const answered = `${line(request)} was answered with HTTP ${status}: ${said}`;
  if (isKeyRefused(status)) {
    const hint =
      keyAt === undefined
        ? 'Give a key that the service accepts.'
        : `Put a key that the service accepts into ${keyAt}: the one from there was sent.`;
    const message = `The service refused the key: ${answered}`;
    return new AppError('SERVICE_KEY_REFUSED', message, { hint, exitCode: EXIT.key });
  }
  if (status >= 500 || status === 429) {
    const hint =
      waitMs === null || waitMs <= 0
        ? 'Try again later.'
        : `Try again in ${Math.ceil(waitMs / 1_000)} s: it asks for that.`;
    return new AppError('SERVICE_UNREACHABLE', `The service does not work now: ${answered}`, {
      hint,
    });
  }
  if (status >= 400 && status !== 404 && status !== 405) {
    const message = `The service refused ${line(request)} with HTTP ${status}: ${said}`;
    return new AppError('SERVICE_REFUSED', message, { hint: 'Correct what it names.' });
  }
  return unexpected(request, answer, 'a 2xx answer was expected');
}

/** Waiting helps against these; not against a name that nobody knows, or a port that speaks something else. */
const PASSING =
  /^(?:EAI_AGAIN|ECONN\w+|ETIMEDOUT|EPIPE|E(?:HOST|NET)(?:UNREACH|DOWN)|EMFILE|ENFILE|UND_ERR_(?:SOCKET|CONNECT_TIMEOUT))$/;

/** True for a service that is down: no connection, no answer, 5xx or 429. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'SERVICE_UNREACHABLE') return false;
  const { cause } = error;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  const { code } = (first ?? {}) as { code?: unknown };
  return first === undefined || isSilence(first) || PASSING.test(String(code));
}

/**
 * The error for an answer in which something that the profile names is missing.
 *
 * @param lookedFor what is missing and what was looked for, as the second half of a sentence
 */
export function unexpected(request: Request, answer: Answer, lookedFor: string): AppError {
  const { status } = answer;
  const message = `${line(request)} was answered with HTTP ${status}, but ${lookedFor}; received: ${excerptOf(answer)}`;
  const hint = isRedirect(status)
    ? 'Check the address of the service: if it has moved there, give the new one (--service-url, or `url` in services.yaml).'
    : 'Check the address of the service and its profile.';
  return new AppError('SERVICE_ANSWER_UNEXPECTED', message, { hint });
}

function line({ method, url }: Request): string {
  return `${method} ${url}`;
}
