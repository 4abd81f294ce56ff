import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of lists on loopback; `answer` may be exchanged. */
async function aListServer(answer: Answer) {
  const at = { answer, got: [] as IncomingMessage[], origin: '' };
  const server = createServer((request, response) => {
    at.got.push(request);
    at.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  at.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return at;
}

const listOf = (...numbers: number[]) => `phone\n${numbers.map((n) => `${aPhone(n)}\n`).join('')}`;
/** A list with its version; asked with that version, it is told to be the same. */
const versioned =
  (version: string, text: string): Answer =>
  (request, response) => {
    const etag = `"${version}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag }).end(text);
  };

/** A campaign whose list comes from an address, with a key of its own. */
async function aCampaignOf(address: string, more = '') {
  const service = await simulatedService({ timeScale: 20_000 });
  const at = desk({
    VOICE_API_URL: service.url,
    VOICE_API_KEY: KEY,
    CALLSHEET_LIST_KEY: 'list-key',
  });
  const own = /https?:\/\/[^/\s,\]]+/.exec(address)?.[0] ?? '';
  mkdirSync(at.path('campaigns'));
  at.write('campaigns/services.yaml', `lists: { url: ${own}, keyEnv: CALLSHEET_LIST_KEY }\n`);
  at.write(
    'spring.yaml',
    `leads: ${address}\nleadsKeyEnv: CALLSHEET_LIST_KEY\npolling: { floor: 50ms }\nagent: ${AGENT}\n${more}`,
  );
  return { at, service, run: () => at.run(['run', 'spring.yaml', '--yes']) };
}

it.each(['no services file', 'the key of another address', 'that address with another key'])(
  'the key of lists goes to no address that services.yaml does not name for it: %s',
  async (what) => {
    const lists = await aListServer(versioned('1', listOf(1, 2)));
    const { at, service, run } = await aCampaignOf(`${lists.origin}/spring.csv`);
    const entries = what.startsWith('the key')
      ? 'lists: { url: https://lists.example.com, keyEnv: CALLSHEET_LIST_KEY }\n'
      : `lists: { url: ${lists.origin}, keyEnv: VOICE_API_KEY }\n`;
    at.write('campaigns/services.yaml', entries);
    if (what.startsWith('no')) rmSync(at.path('campaigns/services.yaml'));

    const refused = await run();

    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`No list is asked for at ${lists.origin}`);
    expect(refused.err).toContain(`lists: { url: ${lists.origin}, keyEnv: CALLSHEET_LIST_KEY }`);
    expect(lists.got).toEqual([]);
    expect(service.ledger()).toEqual([]);
  },
);

it('a stored campaign sends the key of its lists nowhere either once services.yaml names its address no more', async () => {
  const lists = await aListServer(versioned('1', listOf(1, 2)));
  const { at, run } = await aCampaignOf(`${lists.origin}/spring.csv`);
  expect((await run()).err).toContain('2 added');
  const asked = lists.got.length;
  rmSync(at.path('campaigns/services.yaml'));

  const again = await at.run(['run', 'spring', '--yes']);

  expect(again.err).toContain(`No list is asked for at ${lists.origin}`);
  expect(lists.got).toHaveLength(asked);
});

it('an address is asked for what is new alone, with its own key and no other', async () => {
  const lists = await aListServer(versioned('1', listOf(1, 2)));
  const { service, run } = await aCampaignOf(`${lists.origin}/spring.csv`);

  const first = await run();
  expect(first.err).toContain('2 added');
  expect(service.ledger()).toHaveLength(2);
  const second = await run();
  expect(second.err).not.toContain('added');
  lists.answer = versioned('2', listOf(1, 2, 3));
  await run();

  expect(service.ledger().map(({ phone_number }) => phone_number)).toEqual([1, 2, 3].map(aPhone));
  expect(service.ledger().filter(({ rings }) => rings.length !== 1)).toEqual([]);
  const asked = lists.got.map(({ headers }) => [headers.authorization, headers['if-none-match']]);
  expect(asked).toEqual([
    ['Bearer list-key', undefined],
    ['Bearer list-key', '"1"'],
    ['Bearer list-key', '"1"'],
  ]);
});

it('a list of an address that is too large is told with the next step, and nobody is called', async () => {
  const lists = await aListServer((_request, response) => {
    response.writeHead(200).end(listOf(1) + 'x'.repeat(1_100_000));
  });
  const { at, service, run } = await aCampaignOf(lists.origin, 'leadsMaxMegabytes: 1\n');

  const { err } = await run();

  expect(err).toContain(`No list came from ${lists.origin}/: it is larger than 1 MB`);
  expect(err).toContain('leadsMaxMegabytes');
  expect(service.ledger()).toEqual([]);
  const left = readdirSync(at.path('data/lists'), { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => /\.(csv|part)$/.test(name))).toEqual([]);
});

it('a key goes to no other host: an address that leads there is told, and its people are not called', async () => {
  const other = await aListServer(versioned('1', listOf(1)));
  const lists = await aListServer((_request, response) => {
    response.writeHead(302, { location: `${other.origin}/spring.csv` }).end();
  });
  const { service, run } = await aCampaignOf(lists.origin);

  const { err } = await run();

  expect(err).toContain(`leads to ${other.origin}, which is not followed`);
  expect(other.got).toEqual([]);
  expect(service.ledger()).toEqual([]);
});

it('an address that tells no version brings its list again and again, and leaves one file of it', async () => {
  const lists = await aListServer((_request, response) => response.end(listOf(1)));
  const { at, service, run } = await aCampaignOf(`${lists.origin}/spring.csv`);

  await run();
  const again = [await run(), await run()];

  expect(service.ledger()).toHaveLength(1);
  for (const { err } of again) expect(err).not.toContain('the same content');
  const left = readdirSync(at.path('data/lists'), { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => name.endsWith('.csv'))).toHaveLength(1);
});

it('a list of such an address that is refused is told once, and leaves one file', async () => {
  const lists = await aListServer((_request, response) => response.end('name\nAl\n'));
  const { at, run } = await aCampaignOf(`${lists.origin}/spring.csv`);

  const first = await run();
  const second = await run();

  expect(first.err).toContain('is refused');
  expect(second.err).not.toContain('is refused');
  const left = readdirSync(at.path('data/lists'), { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => name.endsWith('.csv'))).toHaveLength(1);
});

it('an address with a name that cannot be decoded is asked all the same, as are those after it', async () => {
  const lists = await aListServer((request, response) => {
    response.end(listOf(request.url === '/%E0.csv' ? 1 : 2));
  });
  const address = `[${lists.origin}/%E0.csv, ${lists.origin}/b.csv]`;
  const { service, run } = await aCampaignOf(address);

  await run();

  expect(service.ledger()).toHaveLength(2);
});
