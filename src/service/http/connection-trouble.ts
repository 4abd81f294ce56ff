/**
 * What an error code of the system, of TLS or of undici means for the operator: why no answer came.
 *
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
