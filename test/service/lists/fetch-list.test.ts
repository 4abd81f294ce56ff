import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchList } from '../../../src/service/fetch-list.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

/** A server of lists, and the requests that it got. */
async function aServer(answer: RequestListener) {
  const got: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    got.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, got };
}

function ask(address: string, more: Partial<Parameters<typeof fetchList>[0]> = {}) {
  const to = join(tempFolder(), 'list.csv');
  const clock = new VirtualClock();
  const given = { address, key: 'secret', known: null, maxBytes: 1_000, to, clock, ...more };
  return { to, clock, answer: fetchList(given) };
}

describe('an address of a list', () => {
  it('is asked with its key, and its list is written with its version', async () => {
    const { origin, got } = await aServer((_request, response) => {
      response.writeHead(200, { etag: '"1"', 'last-modified': 'Mon, 05 Jan 2026 15:00:00 GMT' });
      response.end('phone\n');
    });
    const { answer, to } = ask(`${origin}/a.csv`);

    expect(await answer).toEqual({ etag: '"1"', lastModified: 'Mon, 05 Jan 2026 15:00:00 GMT' });
    expect(readFileSync(to, 'utf8')).toBe('phone\n');
    expect(got[0]?.headers.authorization).toBe('Bearer secret');
  });

  it('is asked for a newer list alone, and brings nothing where there is none', async () => {
    const { origin, got } = await aServer((_request, response) => {
      response.writeHead(304).end();
    });
    const known = { etag: '"1"', lastModified: 'Mon, 05 Jan 2026 15:00:00 GMT' };
    const { answer, to } = ask(origin, { known });

    expect(await answer).toBeNull();
    expect(existsSync(to)).toBe(false);
    expect(got[0]?.headers['if-none-match']).toBe('"1"');
    expect(got[0]?.headers['if-modified-since']).toBe(known.lastModified);
  });

  it('may lead on within its host three times, and not more', async () => {
    const { origin, got } = await aServer((request, response) => {
      const n = Number(request.url?.slice(1));
      if (n === 0) response.end('phone\n');
      else response.writeHead(302, { location: `/${n - 1}` }).end();
    });

    expect(await ask(`${origin}/3`).answer).toEqual({ etag: null, lastModified: null });
    expect(got).toHaveLength(4);
    await expect(ask(`${origin}/4`).answer).rejects.toThrow('leads on more than 3 times');
  });

  it('is not followed to another host, which gets neither the key nor a request', async () => {
    const other = await aServer((_request, response) => response.end('phone\n'));
    const { origin } = await aServer((_request, response) => {
      response.writeHead(302, { location: `${other.origin}/a.csv` }).end();
    });

    await expect(ask(origin).answer).rejects.toThrow(
      `leads to ${other.origin}, which is not followed`,
    );
    expect(other.got).toEqual([]);
  });

  it.each([
    ['says so before', { 'content-length': '2000' }],
    ['turns out so', {}],
  ])('is refused when its list is larger than allowed and %s', async (_how, headers) => {
    const { origin } = await aServer((_request, response) => {
      response.writeHead(200, headers).end('x'.repeat(2_000));
    });
    const { answer, to } = ask(origin);

    await expect(answer).rejects.toMatchObject({ code: 'LIST_ADDRESS_FAILED' });
    expect(readdirSync(join(to, '..'))).toEqual([]);
  });

  it('leaves nothing when its answer breaks off, takes too long, or is no list', async () => {
    const { origin, got } = await aServer((request, response) => {
      if (request.url === '/broken') {
        response.writeHead(200, { 'content-length': '100' });
        response.write('phone\n');
        setImmediate(() => response.destroy());
      } else if (request.url === '/late') response.writeHead(200).write('phone\n');
      else response.writeHead(404).end();
    });
    const broken = ask(`${origin}/broken`);
    await expect(broken.answer).rejects.toMatchObject({ code: 'LIST_ADDRESS_FAILED' });
    await expect(ask(`${origin}/gone`).answer).rejects.toThrow('status 404');
    const late = ask(`${origin}/late`);
    const refused = expect(late.answer).rejects.toThrow('within 10 minutes');
    while (got.length < 3) await new Promise((resolve) => setImmediate(resolve));
    await late.clock.advance(600_000);
    await refused;

    expect(readdirSync(join(broken.to, '..'))).toEqual([]);
    expect(readdirSync(join(late.to, '..'))).toEqual([]);
  });
});
