import { STATUS_CODES } from 'node:http';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import type { DialAnswer } from '../../../src/service/port.ts';
import { connect, DIAL, http, RawServer, yes } from '../helpers.ts';

const REJECTED = [400, 401, 402, 403, 404, 405, 413, 415, 422];
const NOW = Date.UTC(2026, 0, 5, 15);
const IN_30_S = 'Mon, 05 Jan 2026 15:00:30 GMT';

/** Sends one dial to a server that answers it with `text`, and ends both sides. */
async function answered(text: string): Promise<{ answer: DialAnswer; requests: number }> {
  const server = await RawServer.start((socket) => socket.end(text));
  const service = connect(server.url, { clock: { ...systemClock, now: () => NOW } });
  const answer = await service.startCall(DIAL, yes);
  await service.close();
  await server.stop();
  return { answer, requests: server.requests.length };
}

const kindOf = (status: number): DialAnswer['kind'] => {
  if (REJECTED.includes(status)) return 'rejected';
  return status === 429 ? 'refused' : 'unknown';
};

describe('one request, whatever its status', () => {
  const statuses = Object.keys(STATUS_CODES)
    .map(Number)
    .filter((status) => status >= 300 && status !== 304);

  test.each(statuses.map((status) => [status, kindOf(status)] as const))(
    '%i is %s',
    async (status, kind) => {
      // A place to go and a time to come back: neither is taken up.
      const headers = 'location: /v1/calls/outbound\r\nretry-after: 0\r\n';
      const { answer, requests } = await answered(http(`${status} No`, '{"id":"c1"}', headers));
      expect(answer).toMatchObject({ kind, status });
      expect(requests).toBe(1);
    },
  );

  test('304, which has no body, is unknown', async () => {
    const { answer, requests } = await answered('HTTP/1.1 304 Not Modified\r\n\r\n');
    expect(answer).toMatchObject({ kind: 'unknown', status: 304 });
    expect(requests).toBe(1);
  });
});

describe('Retry-After', () => {
  test.each([
    ['without', '', null],
    ['in seconds', 'retry-after: 7\r\n', 7_000],
    ['as a date', `retry-after: ${IN_30_S}\r\n`, 30_000],
    ['as a date that has passed', 'retry-after: Mon, 05 Jan 2026 14:00:00 GMT\r\n', 0],
    ['twice', 'retry-after: 3\r\nretry-after: 5\r\n', 3_000],
  ])('429 %s is refused, after one request', async (_what, header, retryAfterMs) => {
    const { answer, requests } = await answered(http('429 No', '{}', header));
    expect(answer).toMatchObject({ kind: 'refused', retryAfterMs });
    expect(requests).toBe(1);
  });

  test.each([
    ['without', ''],
    ['in seconds', 'retry-after: 7\r\n'],
    ['as a date', `retry-after: ${IN_30_S}\r\n`],
  ])('503 %s is no proof that nobody was called', async (_what, header) => {
    const { answer, requests } = await answered(http('503 Busy', '{}', header));
    expect(answer).toMatchObject({ kind: 'unknown', status: 503 });
    expect(requests).toBe(1);
  });
});
