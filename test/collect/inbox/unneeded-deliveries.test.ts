import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { createSigner } from '../../../src/service/webhooks/signatures.ts';
import {
  aReceiver,
  protocol,
  SECRET,
  send,
  TOKEN,
  type Desk,
} from '../../helpers/services/webhooks.ts';

const MB = 1_048_576;
const PATH = 'campaigns/profiles/elevenlabs.yaml';
const PROFILE = loadProfile(readFileSync(PATH, 'utf8'), PATH);
const SIGNATURE = PROFILE.webhooks?.signature;

function elevenlabs(changes: object = {}) {
  const { webhooks } = PROFILE;
  if (webhooks === undefined) throw new Error('it has webhooks');
  const made = createDeliveryProtocol({ ...PROFILE, webhooks: { ...webhooks, ...changes } }, [
    SECRET,
  ]);
  if (made === null) throw new Error('it has webhooks');
  return made;
}

const desk = (given: Parameters<typeof aReceiver>[0] = {}) =>
  aReceiver({ protocol: elevenlabs(), ...given });

/** As ElevenLabs sends the sound of a call. @param audio its length in bytes */
function* audio(length: number, type = 'post_call_audio'): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, 'QUJD');
  yield Buffer.from(`{"type":"${type}","event_timestamp":1,"data":{"conversation_id":"c1",`);
  yield Buffer.from('"full_audio":"');
  for (let sent = 0; sent < length; sent += piece.length) yield piece;
  yield Buffer.from('"}}');
}

/** Sends pieces in chunked transfer encoding, or under a length that is told before. */
async function sendPieces(
  url: string,
  pieces: Iterable<Buffer>,
  headers: Record<string, string | number> = {},
): Promise<{ status: number; body: string }> {
  const out = request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
  const answered = once(out, 'response') as Promise<[IncomingMessage]>;
  // Whoever is refused half way may find the connection closed.
  out.on('error', () => undefined);
  for (const piece of pieces) {
    if (out.destroyed || out.writableEnded) break;
    if (!out.write(piece)) await Promise.race([once(out, 'drain'), answered]);
  }
  out.end();
  const [response] = await answered;
  let body = '';
  for await (const part of response.setEncoding('utf8')) body += String(part);
  return { status: response.statusCode ?? 0, body };
}

const lengthOf = (pieces: Iterable<Buffer>) =>
  [...pieces].reduce((sum, { length }) => sum + length, 0);

const counts = ({ receiver }: Desk) => receiver.counts.toJSON();

describe('a delivery above a megabyte of a type that nobody needs', () => {
  it.each(['in pieces', 'under its length'])(
    'is answered with 200, counted, and kept nowhere: 20 MB %s',
    async (how) => {
      const held: number[] = [];
      const at = await desk({ onHeld: (bytes) => held.push(bytes) });
      const length = lengthOf(audio(20 * MB));
      const headers = how === 'in pieces' ? {} : { 'content-length': length };

      const answer = await sendPieces(at.url, audio(20 * MB), headers);

      expect(answer).toEqual({ status: 200, body: '{"received":true}' });
      expect(counts(at)).toEqual({ dropped: 1 });
      expect(await at.kept()).toEqual([]);
      expect(held.length).toBeGreaterThan(100);
      // What came before it was known to be so long is let go of again.
      expect(Math.max(...held)).toBeLessThanOrEqual(how === 'in pieces' ? MB : 1_000);
      expect(Math.max(...held.slice(-200))).toBeLessThan(1_000);
    },
  );

  it('is known by its type wherever that stands, also across two pieces', async () => {
    const at = await desk();
    const sound = `"data":{"full_audio":"${'x'.repeat(2 * MB)}"}`;
    const body = Buffer.from(`{${sound},"type":"post_call_audio"}`);
    const cut = body.length - 10;

    expect(await sendPieces(at.url, [body.subarray(0, cut), body.subarray(cut)])).toMatchObject({
      status: 200,
    });
    expect(counts(at)).toEqual({ dropped: 1 });
  });

  it.each([
    ['whose type is needed', [...audio(2 * MB, 'post_call_transcription')]],
    [
      'that only says the word in a text',
      [
        Buffer.from('{"type":"post_call_transcription","data":{"transcript":[{"message":"'),
        Buffer.from('\\"type\\":\\"post_call_audio\\" '.repeat(100_000)),
        Buffer.from('"}]}}'),
      ],
    ],
    [
      'that says it in an inner object',
      [
        Buffer.from(
          '{"type":"post_call_transcription","data":{"extra":{"type":"post_call_audio"},"x":"',
        ),
        Buffer.alloc(2 * MB, 'x'),
        Buffer.from('"}}'),
      ],
    ],
    ['that is no JSON', [Buffer.alloc(2 * MB, 'type=post_call_audio&')]],
    ['that is cut off in itself', [...audio(2 * MB)].slice(0, -1)],
  ])('is not one %s: that is answered with 413', async (_, pieces) => {
    const at = await desk();

    const answer = await sendPieces(at.url, pieces);

    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toEqual({ error: { code: 'too_large', by: 'callsheet' } });
    expect(counts(at)).toEqual({ too_large: 1 });
    expect(await at.kept()).toEqual([]);
  });

  it('is refused above the largest that the profile takes, at once where it says its length', async () => {
    const unneeded = { types: new Set(['post_call_audio']), largest: 2 };
    const at = await desk({ protocol: elevenlabs({ unneeded }) });

    expect(await sendPieces(at.url, audio(3 * MB))).toMatchObject({ status: 413 });
    const socket = connect(Number(new URL(at.url).port), '127.0.0.1');
    socket.write(head(at, { length: 2 * MB + 1 }));
    expect(await firstLine(socket)).toBe('HTTP/1.1 413 Payload Too Large');
    expect(counts(at)).toEqual({ too_large: 2 });
    expect(await sendPieces(at.url, audio(1.5 * MB))).toMatchObject({ status: 200 });
  });

  it('is refused where the profile names no such types', async () => {
    const at = await aReceiver({ protocol: protocol([]) });

    expect(await sendPieces(at.url, audio(2 * MB))).toMatchObject({ status: 413 });
    expect(counts(at)).toEqual({ too_large: 1 });
  });

  it('is refused from another address than the listed ones', async () => {
    const at = await desk({ protocol: elevenlabs({ ips: ['192.0.2.7'] }) });

    expect(await sendPieces(at.url, audio(2 * MB))).toMatchObject({ status: 413 });
    expect(counts(at)).toEqual({ too_large: 1 });
  });

  it('that does not come to its end in time is cut off, and so is one that breaks off', async () => {
    const at = await desk({ limits: { requestMs: 100 } });
    for (const end of ['slow', 'broken']) {
      const socket = connect(Number(new URL(at.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(head(at, { length: 20 * MB }));
      for (const piece of [...audio(2 * MB)].slice(0, -1)) socket.write(piece);
      socket.resume();
      if (end === 'broken') socket.destroySoon();
      await once(socket, 'close');
    }

    await expect.poll(() => counts(at)).toEqual({ malformed: 2 });
  });
});

describe('a short delivery of a type that nobody needs', () => {
  const body = Buffer.concat([...audio(1_000)]);
  const signed = (at = Date.now()) =>
    SIGNATURE === undefined ? {} : createSigner(SIGNATURE, SECRET)(body, 'evt_1', at);

  it('is dropped as well once it is proved', async () => {
    const at = await desk();

    const answer = await send(at.url, body, { secret: null, headers: signed() });

    expect(answer).toMatchObject({ status: 200, body: '{"received":true}' });
    expect(counts(at)).toEqual({ dropped: 1 });
    expect(await at.kept()).toEqual([]);
  });

  it('is refused where its signature is wrong: the secret may be, too', async () => {
    const at = await desk();

    expect(await send(at.url, body, { secret: null })).toMatchObject({ status: 401 });
    expect(counts(at)).toEqual({ signature_missing: 1 });
  });
});

describe('whoever does not know the address', () => {
  it.each([
    ['a token that is not ours', (path: string) => path.replace(TOKEN, 'hook_000000000002')],
    ['another service', (path: string) => path.replace('main', 'other')],
    ['another path', () => '/webhooks'],
  ])('by %s is sent away before a byte of a long body is read', async (_, changed) => {
    const held: number[] = [];
    const at = await desk({ onHeld: (bytes) => held.push(bytes) });
    const path = changed(new URL(at.url).pathname);
    for (const how of [{ length: 20 * MB }, {}]) {
      const socket = connect(Number(new URL(at.url).port), '127.0.0.1');
      // The head only: an answer cannot wait for more.
      socket.write(head(at, { path, ...how }));
      expect(await firstLine(socket)).toBe('HTTP/1.1 404 Not Found');
    }

    expect(held).toEqual([]);
    expect(counts(at)).toEqual({ not_found: 2 });
  });
});

/** The head of a request; without a length its body comes in pieces. */
function head(
  { url }: Desk,
  { path = new URL(url).pathname, length }: { path?: string; length?: number },
): string {
  const body = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${body}\r\n\r\n`;
}

/** Of the answer, once the connection is closed. */
async function firstLine(socket: ReturnType<typeof connect>): Promise<string> {
  let text = '';
  for await (const part of socket.setEncoding('utf8')) text += String(part);
  return text.split('\r\n')[0] ?? '';
}
