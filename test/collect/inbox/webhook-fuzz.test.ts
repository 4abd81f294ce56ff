import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { createSigner } from '../../../src/service/webhooks/signatures.ts';
import { aReceiver, protocol, SECRET, send, TOKEN } from '../../helpers/services/webhooks.ts';
import { START } from '../../helpers/clock.ts';
import { examples } from '../../helpers/properties.ts';

/** `WEBHOOK_FUZZ=100000 npx vitest run test/collect/inbox/webhook-fuzz.test.ts` tries as many as you like. */
const RUNS = Number(process.env['WEBHOOK_FUZZ'] ?? examples(1_000));
/** Over TCP each takes a millisecond or two. */
const RUNS_ON_THE_WIRE = Math.ceil(RUNS / 10);
const TIMEOUT_MS = 30_000 + RUNS * 5;

const NAMES = ['type', 'data', 'call_id', 'lead', 'timestamp', 'id', '__proto__', 'phone_number'];
const TYPES = ['call.finished', 'lead.captured', 'call.started', 'x', '', '__proto__'];

/** JSON whose names are those that are looked for, with any value. */
const event = fc.object({
  key: fc.constantFrom(...NAMES),
  values: [fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.constantFrom(...TYPES)],
  maxDepth: 4,
});
const text = fc.oneof(
  event.map((value) => JSON.stringify(value)),
  event.map((value) => JSON.stringify(value).slice(1)),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json(),
);
const body = fc.oneof(
  text.map((each) => Buffer.from(each)),
  fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each)),
);
const header = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.constantFrom('', 'v1,', 'v1,AAAA', 'v1,v1,v1', 't=1,v0=', String(START / 1_000), 'evt_1'),
  fc.base64String({ maxLength: 60 }).map((each) => `v1,${each}`),
);
const headers = fc.record(
  {
    'webhook-id': header,
    'webhook-timestamp': header,
    'webhook-signature': header,
    'content-type': fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'x',
      '',
    ),
  },
  { requiredKeys: [] },
);

describe('whatever is sent', { timeout: TIMEOUT_MS }, () => {
  it('is read without a crash', () => {
    const wire = protocol();
    fc.assert(
      fc.property(body, headers, (bytes, given) => {
        const kept = wire.headersToKeep(given);
        const { kind } = wire.read(bytes, kept);
        return isRead(kind) && (wire.idOf(given, bytes)?.length ?? 1) <= 200;
      }),
      { numRuns: RUNS },
    );
  });

  it.each(['voice-agent', 'retell', 'elevenlabs', 'twilio'])(
    'is not believed without the secret by %s',
    (name) => {
      const path = `campaigns/profiles/${name}.yaml`;
      const wire = createDeliveryProtocol(loadProfile(readFileSync(path, 'utf8'), path), [SECRET]);
      const signed = ['x-retell-signature', 'elevenlabs-signature', 'x-twilio-signature'];
      fc.assert(
        fc.property(body, headers, header, fc.webUrl(), (bytes, given, signature, url) => {
          const all = { ...given, ...Object.fromEntries(signed.map((each) => [each, signature])) };
          const isRefused = wire?.verify(all, bytes, START, url).kind === 'refused';
          return isRefused && isRead(wire.read(bytes, wire.headersToKeep(all)).kind);
        }),
        { numRuns: Math.ceil(RUNS / 4) },
      );
    },
  );

  it('is not believed when one bit of what was signed is another', () => {
    const wire = protocol();
    const sign = createSigner({ scheme: 'standard', tolerance: 300 }, SECRET);
    fc.assert(
      fc.property(body, fc.nat(), fc.nat(7), (bytes, at, bit) => {
        const signed = sign(bytes, 'evt_1', START);
        const isSigned = wire.verify(signed, bytes, START).kind === 'signed';
        const changed = bytes.length === 0 ? Buffer.from([0]) : Buffer.from(bytes);
        const place = at % changed.length;
        if (bytes.length > 0) changed[place] = (changed[place] ?? 0) ^ (1 << bit);
        return isSigned && wire.verify(signed, changed, START).kind === 'refused';
      }),
      { numRuns: RUNS },
    );
  });

  it('over TCP changes nothing, and the receiver goes on', async () => {
    const desk = await aReceiver();
    const { port, pathname } = new URL(desk.url);
    const path = fc.oneof(
      fc.constant(pathname),
      fc.constant(`/webhooks/main/${TOKEN}x`),
      fc.webPath(),
    );
    await fc.assert(
      fc.asyncProperty(path, headers, body, fc.nat(300), async (to, given, bytes, cut) => {
        const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
        const head = `POST ${to} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${bytes.length}\r\n`;
        const whole = Buffer.concat([Buffer.from(`${head}${lines.join('')}\r\n`), bytes]);
        const answer = await exchange(Number(port), cut < 30 ? whole.subarray(0, cut) : whole);
        expect(answer).not.toMatch(/^HTTP\/1.1 [25]/);
      }),
      { numRuns: RUNS_ON_THE_WIRE },
    );

    expect(await desk.kept()).toEqual([]);
    expect(await send(desk.url, { type: 'call.finished' })).toMatchObject({ status: 200 });
    expect(await desk.kept()).toHaveLength(1);
  });
});

const isRead = (kind: string) => kind === 'event' || kind === 'unreadable';

/** Sends bytes and no more, and tells all that comes back. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(answer);
    });
    socket.end(bytes);
  });
}
