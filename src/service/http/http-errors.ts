import { AppError, EXIT, messageOf } from '../../runtime/errors.ts';
import { excerptOf, isKeyRefused, isRedirect, isSilence, type HttpAnswer } from './exchange.ts';

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

interface Request {
  method: string;
  url: string;
}

type Answer = Pick<HttpAnswer, 'status' | 'text' | 'location'>;

export function unreachable(request: Request, error: unknown): AppError {
  const { why, check: hint = 'Check the address, the network and that the service runs.' } =
    troubleOf(error);
  const message = `The service cannot be reached: ${line(request)}: ${why}.`;
  return new AppError('SERVICE_UNREACHABLE', message, { hint, cause: error });
}

/**
 * The error for an answer that is not 2xx.
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

/** Codes of troubles that may pass; unknown names and wrong protocols do not. */
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

/**
 * What an error code of the system, of TLS or of undici means for the operator: why no answer came.
 * @param text the error's own message, which may name a host or an address
 * @returns `why`, without a full stop, to be appended to `GET https://...: `, and `check`, a sentence that says what to
 *   check; undefined for a code that is not known
 */
export function connectionTrouble(code: string, text = '') {
  const found = TROUBLES.find(([codes]) => codes.test(code));
  if (found === undefined) return undefined;
  const [, why, check] = found;
  return { why: `${typeof why === 'string' ? why : why(text)} (${code})`, check };
}

const CLOCK =
  'Check the clock of this machine; if it is right, the service needs a new certificate.';
const OWN_CA =
  'Check that the address is the right one. If the service is your own, name the certificate of who signs it: NODE_EXTRA_CA_CERTS=ca.pem before the command.';
const NETWORK = 'Check the network of this machine (a VPN, a firewall), and the address.';
const HTTP_PORT = 'Check the port: what listens there is not the HTTP interface of a service.';

const TROUBLES: readonly [
  codes: RegExp,
  why: string | ((text: string) => string),
  check: string,
][] = [
  [
    /^ENOTFOUND$/,
    (text) => `no host of the name ${/ENOTFOUND (\S+)/.exec(text)?.[1] ?? 'given'} is known`,
    'Check the spelling of the address, and that this machine can look names up.',
  ],
  [
    /^EAI_AGAIN$/,
    () => 'the name of the host could not be looked up, as no name server answers',
    'Check the network of this machine, then try again.',
  ],
  [
    /^ECONNREFUSED$/,
    (text) => `nothing listens${atAddress(text)}: the connection was refused`,
    'Check that the service runs, and the host and port of its address.',
  ],
  [
    /^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    (text) => `nobody answers${atAddress(text)}: no connection was made in time`,
    NETWORK,
  ],
  [/^(?:EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN)$/, 'there is no way to that host', NETWORK],
  [/^EADDRNOTAVAIL$/, 'this machine has no address or no free port to call from', NETWORK],
  [
    /^(?:EMFILE|ENFILE)$/,
    'this machine has too many files and connections open',
    'Close other programs, or allow more (ulimit -n), then try again.',
  ],
  [
    /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    'the connection was closed before an answer came',
    'Check that the service runs, and whether its port wants https:// where http:// was given, or the other way round.',
  ],
  [/^(?:HPE_|HTTPParserError$)/, 'what answers there does not speak HTTP', HTTP_PORT],
  [
    /^(?:UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_EXCEEDED_MAX_SIZE)$/,
    'the answer is larger than any of a service',
    HTTP_PORT,
  ],
  [
    /^(?:EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|ERR_SSL_HTTP_REQUEST|ERR_SSL_UNKNOWN_PROTOCOL)$/,
    'what answers there does not speak TLS, which https:// needs',
    'Check the port: perhaps it is that of plain http. A service on this machine may be given as http://; any other needs a port with TLS.',
  ],
  [/^CERT_HAS_EXPIRED$/, 'the certificate of the service has expired', CLOCK],
  [/^CERT_NOT_YET_VALID$/, 'the certificate of the service is not valid yet', CLOCK],
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
    'the service shows a self-signed certificate, for which nobody vouches',
    OWN_CA,
  ],
  [
    /^(?:UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE)$/,
    'nobody whom this machine knows vouches for the certificate of the service',
    OWN_CA,
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    (text) => `the certificate of the service is for ${certifiedNames(text)}, not for this host`,
    'Check the address: it must be the name that stands in the certificate.',
  ],
  [/^CERT_REVOKED$/, 'the certificate of the service was revoked', CLOCK],
  [
    /^(?:ERR_SSL_|ERR_TLS_|CERT_)/,
    'no encrypted connection could be agreed with what answers there',
    'Check the address and its port, and whether a proxy stands between this machine and the service.',
  ],
];

/** Finds the address in `connect ECONNREFUSED 127.0.0.1:9` or `... (attempted address: 192.0.2.1:443, ...)`. */
function atAddress(text: string): string {
  const address = /(?:address: |ECONNREFUSED |ETIMEDOUT )([^\s,)]+)/.exec(text)?.[1];
  return address === undefined ? ' there' : ` at ${address}`;
}

/** Finds the names in `... is not in the cert's altnames: DNS:voice.example, DNS:*.voice.example`. */
function certifiedNames(text: string): string {
  const names = [...text.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name]) => name);
  return names.length === 0 ? 'another name' : [...new Set(names)].slice(0, 3).join(', ');
}
