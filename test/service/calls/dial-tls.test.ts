import { createServer, rootCertificates } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { VOICE_EXAMPLE } from '../../helpers/services/certificates.ts';
import { connect, DIAL, yes } from '../helpers.ts';

/** A TLS server with that certificate; it counts what it could read of the requests. */
async function tlsService() {
  const seen = { handshakes: 0, bytes: 0 };
  const server = createServer(VOICE_EXAMPLE, (socket) => {
    seen.handshakes += 1;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => (seen.bytes += chunk.length));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise((resolve) => server.close(resolve));
  return { seen, stop, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a certificate that nobody vouches for proves that nothing was sent', async () => {
  const { seen, stop, url } = await tlsService();
  const service = connect(url);
  let asked = 0;
  const permit = () => {
    asked += 1;
    return true;
  };

  const answer = await service.startCall(DIAL, permit);
  await service.close();
  await stop();

  expect(answer).toMatchObject({ kind: 'neverSent', cause: 'connection', status: null });
  expect(answer.detail).toMatch(
    /was not sent: .*a self-signed certificate.*DEPTH_ZERO_SELF_SIGNED_CERT/,
  );
  expect(seen.bytes).toBe(0);
  expect(asked).toBe(0);
});

test('a certificate of another name proves it as well, though its signer is trusted', async () => {
  // Node trusts what stands in this list when a process begins to use TLS; the connection brings its own here.
  expect(rootCertificates.length).toBeGreaterThan(0);
  const tls = await import('node:tls');
  const secure = tls.default.connect;
  const trusting = vi
    .spyOn(tls.default, 'connect')
    .mockImplementation(((options: object) =>
      secure({ ...options, ca: [VOICE_EXAMPLE.cert] })) as typeof secure);
  onTestFinished(() => {
    trusting.mockRestore();
  });
  const { seen, stop, url } = await tlsService();
  const service = connect(url);

  const answer = await service.startCall(DIAL, yes);
  await service.close();
  await stop();

  expect(trusting).toHaveBeenCalled();
  expect(answer).toMatchObject({ kind: 'neverSent', cause: 'connection', status: null });
  expect(answer.detail).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(seen.bytes).toBe(0);
});
