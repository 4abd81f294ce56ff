import { expect, it } from 'vitest';
import { connectionTrouble } from '../../../src/service/http/http-errors.ts';

it.each([
  [
    'ENOTFOUND',
    'getaddrinfo ENOTFOUND voice.exmple',
    'no host of the name voice.exmple is known (ENOTFOUND)',
  ],
  ['ENOTFOUND', '', 'no host of the name given is known (ENOTFOUND)'],
  [
    'EAI_AGAIN',
    '',
    'the name of the host could not be looked up, as no name server answers (EAI_AGAIN)',
  ],
  [
    'ECONNREFUSED',
    'connect ECONNREFUSED 127.0.0.1:9',
    'nothing listens at 127.0.0.1:9: the connection was refused (ECONNREFUSED)',
  ],
  ['ECONNREFUSED', '', 'nothing listens there: the connection was refused (ECONNREFUSED)'],
  [
    'UND_ERR_CONNECT_TIMEOUT',
    'Connect Timeout Error (attempted address: 192.0.2.1:443, timeout: 5000ms)',
    'nobody answers at 192.0.2.1:443: no connection was made in time (UND_ERR_CONNECT_TIMEOUT)',
  ],
  ['ETIMEDOUT', '', 'nobody answers there: no connection was made in time (ETIMEDOUT)'],
  ['ENETUNREACH', '', 'there is no way to that host (ENETUNREACH)'],
  ['EADDRNOTAVAIL', '', 'this machine has no address or no free port to call from (EADDRNOTAVAIL)'],
  ['EMFILE', '', 'this machine has too many files and connections open (EMFILE)'],
  ['ECONNRESET', '', 'the connection was closed before an answer came (ECONNRESET)'],
  ['HPE_INVALID_CONSTANT', '', 'what answers there does not speak HTTP (HPE_INVALID_CONSTANT)'],
  [
    'UND_ERR_HEADERS_OVERFLOW',
    '',
    'the answer is larger than any of a service (UND_ERR_HEADERS_OVERFLOW)',
  ],
  ['EPROTO', '', 'what answers there does not speak TLS, which https:// needs (EPROTO)'],
  ['CERT_HAS_EXPIRED', '', 'the certificate of the service has expired (CERT_HAS_EXPIRED)'],
  [
    'CERT_NOT_YET_VALID',
    '',
    'the certificate of the service is not valid yet (CERT_NOT_YET_VALID)',
  ],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    '',
    'the service shows a self-signed certificate, for which nobody vouches (SELF_SIGNED_CERT_IN_CHAIN)',
  ],
  [
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    '',
    'nobody whom this machine knows vouches for the certificate of the service (UNABLE_TO_GET_ISSUER_CERT_LOCALLY)',
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    "Host: a.example. is not in the cert's altnames: DNS:voice.example, IP Address:192.0.2.1 DNS:voice.example",
    'the certificate of the service is for voice.example, 192.0.2.1, not for this host (ERR_TLS_CERT_ALTNAME_INVALID)',
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    '',
    'the certificate of the service is for another name, not for this host (ERR_TLS_CERT_ALTNAME_INVALID)',
  ],
  ['CERT_REVOKED', '', 'the certificate of the service was revoked (CERT_REVOKED)'],
  [
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    '',
    'no encrypted connection could be agreed with what answers there (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)',
  ],
])('the code %s (%s) is said in plain words, with what to check', (code, text, why) => {
  expect(connectionTrouble(code, text)).toEqual({
    why,
    check: expect.stringMatching(/^[A-Z].+\.$/) as string,
  });
});

it('a code that nobody knows is left to those who know more', () => {
  expect(connectionTrouble('EWHATEVER')).toBeUndefined();
});
