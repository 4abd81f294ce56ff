import { afterEach, describe, expect, test } from 'vitest';
import { connect, fakeService, KEY } from '../helpers.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serving(answer: Parameters<typeof fakeService>[0]) {
  const server = await fakeService(answer);
  const service = connect(server.url);
  closers.push(server.stop, () => service.close());
  return { service, server };
}

describe('a transcript by its address', () => {
  const DONE = { status: 'completed', duration_seconds: 83, sentiment: 'neutral' };
  const TURNS = [
    { role: 'agent', text: 'Hello.' },
    { role: 'user', text: 'Hi.' },
  ];

  /** A service whose transcripts are at `/t/1` of `origin` (default: its own), and answered so. */
  async function aService(body: unknown, { status = 200, origin = '' } = {}) {
    const { service, server } = await serving(({ url }) =>
      url === '/t/1'
        ? { status, body }
        : { body: { ...DONE, transcript_url: `${origin === '' ? server.url : origin}/t/1` } },
    );
    return { service, server };
  }

  test.each([
    ['turns', TURNS],
    ['text', 'agent: Hello.\nuser: Hi.'],
    ['an answer', { transcript: TURNS }],
  ])('is read from the service itself, with the key: %s', async (_, body) => {
    const { service, server } = await aService(body);
    expect(await service.readAnalytics('c1')).toMatchObject({
      kind: 'settled',
      analytics: { transcript: 'agent: Hello.\nperson: Hi.', durationMs: 83_000 },
    });
    expect(server.requests[1]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test('of another host is told, and nothing is asked there', async () => {
    const other = await fakeService(() => ({ body: TURNS }));
    closers.push(other.stop);
    const { service } = await aService(TURNS, { origin: other.url });
    expect(await service.readAnalytics('c1')).toMatchObject({
      kind: 'settled',
      analytics: { transcript: null },
      unknown: [{ of: 'elsewhere', word: `${other.url}/t/1` }],
    });
    expect(other.requests).toEqual([]);
  });

  test.each([
    ['an error of HTTP', {}, 404],
    ['an error in JSON', { error: 'still being written' }, 200],
    ['an answer without words', { status: 'processing', transcript: null }, 200],
  ])('that is not there yet is still to come: %s', async (_, body, status) => {
    const { service, server } = await aService(body, { status });
    expect(await service.readAnalytics('c1')).toMatchObject({
      kind: 'settled',
      analytics: { transcript: null, durationMs: 83_000 },
      transcriptAt: `${server.url}/t/1`,
      unknown: [{ of: 'elsewhere' }],
    });
  });

  test('that is refused is told, and not waited for', async () => {
    const { service } = await aService({}, { status: 403 });
    const polled = await service.readAnalytics('c1');
    expect(polled).toMatchObject({ kind: 'settled', unknown: [{ of: 'elsewhere' }] });
    expect(polled).not.toHaveProperty('transcriptAt');
  });

  test.each([429, 503])('is asked for again where the service fails: HTTP %i', async (status) => {
    const { service } = await aService({}, { status });
    expect(await service.readAnalytics('c1')).toMatchObject({ kind: 'failed', keyRefused: false });
  });
});
