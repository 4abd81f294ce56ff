import { chmodSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import tls from 'node:tls';
import { expect, it, onTestFinished, vi } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { EXPIRED, VOICE_EXAMPLE } from '../../helpers/services/certificates.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';

/** Where a server listens on loopback until the test ends, e.g. `127.0.0.1:4711`. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port of this machine at which nothing listens any more. */
async function deadPort(): Promise<string> {
  const server = createTcpServer();
  const at = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return at;
}

/** Speaks first, as a mail server does, and no HTTP. */
async function mailServer(): Promise<string> {
  return listening(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('220 mail.example ESMTP\r\n');
    }),
  );
}

async function plainServer(): Promise<string> {
  return listening(createHttpServer((_request, response) => response.end('{}')));
}

async function tlsServer(certified: { key: string; cert: string }): Promise<string> {
  const server = tls.createServer(certified, (socket) => {
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
  });
  server.on('tlsClientError', () => undefined);
  return listening(server);
}

/** As if this machine trusted who has signed it. */
function trust(certificate: string): void {
  const secure = tls.connect;
  const trusting = vi
    .spyOn(tls, 'connect')
    .mockImplementation(((options: object) =>
      secure({ ...options, ca: [certificate] })) as typeof secure);
  onTestFinished(() => {
    trusting.mockRestore();
  });
}

/** What `agents list` says of the service at `url`. */
async function said(url: string, env: Record<string, string> = {}, flags: string[] = []) {
  const at = desk({ VOICE_API_KEY: 'k', ...env });
  at.write('key.txt', 'k2\n');
  chmodSync(at.path('key.txt'), 0o600);
  // Four reads with pauses in between; the pauses pass a hundred times as fast.
  const given = { clock: hastyClock(100) };
  const { code, err } = await at.run(['agents', 'list', '--service-url', url, ...flags], given);
  // On a busy machine it waits so long that this is told.
  return { code, err: err.replace(/^Waiting for .*\n/, '') };
}

const UNREACHED = (url: string, why: string, next: string) =>
  `callsheet: The service cannot be reached: GET ${url}/v1/agents: ${why}.\n  next: ${next}\n`;

it.each<[what: string, scheme: string, server: () => Promise<string>, why: string, next: string]>([
  [
    'a port at which nothing listens',
    'http',
    deadPort,
    'nothing listens at {at}: the connection was refused (ECONNREFUSED)',
    'check that the service runs, and the host and port of its address',
  ],
  [
    'a port that speaks no HTTP',
    'http',
    mailServer,
    'what answers there does not speak HTTP (HTTPParserError)',
    'check the port: what listens there is not the HTTP interface of a service',
  ],
  [
    'https to a port of plain http',
    'https',
    plainServer,
    'what answers there does not speak TLS, which https:// needs (ERR_SSL_WRONG_VERSION_NUMBER)',
    'check the port: perhaps it is that of plain http. A service on this machine may be given as http://; any other needs a port with TLS',
  ],
  [
    'http to a port of https',
    'http',
    () => tlsServer(VOICE_EXAMPLE),
    'the connection was closed before an answer came (UND_ERR_SOCKET)',
    'check that the service runs, and whether its port wants https:// where http:// was given, or the other way round',
  ],
  [
    'a self-signed certificate',
    'https',
    () => tlsServer(VOICE_EXAMPLE),
    'the service shows a self-signed certificate, for which nobody vouches (DEPTH_ZERO_SELF_SIGNED_CERT)',
    'check that the address is the right one. If the service is your own, name the certificate of who signs it: NODE_EXTRA_CA_CERTS=ca.pem before the command',
  ],
  [
    'a certificate of another name',
    'https',
    () => {
      trust(VOICE_EXAMPLE.cert);
      return tlsServer(VOICE_EXAMPLE);
    },
    'the certificate of the service is for voice.example, not for this host (ERR_TLS_CERT_ALTNAME_INVALID)',
    'check the address: it must be the name that stands in the certificate',
  ],
  [
    'a certificate that has expired',
    'https',
    () => {
      trust(EXPIRED.cert);
      return tlsServer(EXPIRED);
    },
    'the certificate of the service has expired (CERT_HAS_EXPIRED)',
    'check the clock of this machine; if it is right, the service needs a new certificate',
  ],
])(
  '%s is said in plain words, with the address and what to check',
  async (_, scheme, server, why, next) => {
    const at = await server();
    const url = `${scheme}://${at}`;
    const { code, err } = await said(url);
    expect(err).toBe(UNREACHED(url, why.replace('{at}', at), next));
    expect(code).toBe(1);
  },
);

it('a redirect is told with its target, without what stands behind the question mark', async () => {
  const { url } = await voiceServer({
    agents: () => ({
      status: 302,
      headers: { location: 'https://voice.example/login?token=secret' },
      body: '<html>',
    }),
  });
  const { err } = await said(url);
  expect(err).toBe(
    `callsheet: GET ${url}/v1/agents was answered with HTTP 302, but a 2xx answer was expected; received: a redirect to https://voice.example/login, which is not followed\n` +
      '  next: check the address of the service: if it has moved there, give the new one (--service-url, or `url` in services.yaml)\n',
  );
});

it('a key that is refused is told with the place where it stands: a variable, a file of services.yaml, --key-file', async () => {
  const { url } = await voiceServer({ agents: () => ({ status: 401, body: '' }) });
  const refused = (place: string) =>
    `callsheet: The service refused the key: GET ${url}/v1/agents was answered with HTTP 401: an empty body\n  next: put a key that the service accepts into ${place}: the one from there was sent\n`;

  expect(await said(url)).toMatchObject({ code: 4, err: refused('VOICE_API_KEY') });
  const byFlag = await said(url, {}, ['--key-file', 'key.txt']);
  expect(byFlag.err).toMatch(/into \/\S+\/key\.txt: the one from there was sent/);

  const at = desk();
  at.write('key.txt', 'k2\n');
  chmodSync(at.path('key.txt'), 0o600);
  at.write('services.yaml', `main: { url: ${url}, keyFile: key.txt }\n`);
  const named = ['agents', 'list', '--service', 'main', '--services', 'services.yaml'];
  expect((await at.run(named)).err).toBe(refused(at.path('key.txt')));
});

it('a key file that is not there is told with what to do', async () => {
  const at = desk();
  const url = 'http://127.0.0.1:9';
  at.write('services.yaml', `main: { url: ${url}, keyFile: key.txt }\n`);
  const named = ['agents', 'list', '--service', 'main', '--services', 'services.yaml'];
  expect((await at.run(named)).err).toBe(
    `callsheet: There is no key file "${at.path('key.txt')}" (looked for ${at.path('key.txt')}).\n` +
      '  next: write the key of service main into that file (and chmod 600 it), or name another one: keyFile in services.yaml\n',
  );
  expect((await at.run(['agents', 'list', '--service-url', url, '--key-file', '.'])).err).toBe(
    'callsheet: The key file "." is a folder (EISDIR).\n  next: name a file\n',
  );
});
