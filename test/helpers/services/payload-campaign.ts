import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { csvLine } from '../../../src/domain/lists/spreadsheet.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import type { Desk } from '../callsheet.ts';
import { XSS_CELLS, XSS_PAYLOADS } from '../xss-payloads.ts';

/** A campaign whose own name is an attack, as are its cells and all that its service says. */
export const PAYLOAD_CAMPAIGN = '<img src=x onerror=window.hit=1>';

/** Fictional numbers, one for each payload. */
const AREAS = [212, 213, 312, 404];
const phoneOf = (n: number) => `+1${AREAS[Math.floor(n / 100)] ?? 0}5550${100 + (n % 100)}`;

/**
 * Calls a person for each payload at a service of this machine, `hostile`, that has the payloads in the names and prompts
 * of its agents, in transcripts, summaries, sentiments, outcomes, recordings and errors, and delivers them to the inbox.
 *
 * @returns how the campaign ended, and `close`, which ends the service
 */
export async function callPayloads(here: Desk) {
  const service = await payloadService();
  here.write('services.yaml', `hostile: { url: '${service.url}' }\n`);
  const rows = XSS_CELLS.map((cell, n) => csvLine([cell, phoneOf(n), cell]));
  here.write(
    'payloads.csv',
    csvLine(['name', 'phone', '<b onclick=window.hit=1>']) + rows.join(''),
  );
  const ended = await here.run(
    [
      ...['run', 'payloads.csv', '--name', PAYLOAD_CAMPAIGN, '--service', 'hostile'],
      ...['--services', 'services.yaml', '--agent', 'ag_0', '--concurrency', '100'],
      ...['--db', 'data/callsheet.db', '--rules', 'always', '--set', 'refusals=100'],
      ...['--set', 'polling.floor=20ms', '--set', 'polling.ceiling=100ms'],
    ],
    { env: { VOICE_API_KEY: 'key-of-the-hostile-service' } },
  );
  const store = openSqliteStore({ path: here.path('data/callsheet.db'), mode: 'write' });
  for (const [n, payload] of XSS_PAYLOADS.entries()) {
    const body = new TextEncoder().encode(JSON.stringify({ type: payload, call_id: payload }));
    const headers = { 'x-payload': payload };
    const key = { id: `dlv_${n}`, service: 'hostile', key: `k${n}`, headers, signed: false };
    await store.inboxPut({ ...key, receivedAt: 1, body });
  }
  await store.close();
  return { ended, close: service.close };
}

async function payloadService() {
  const payloadFor = (callId: string) => XSS_PAYLOADS[Number(callId) % XSS_PAYLOADS.length] ?? '';
  let dials = 0;
  const answerTo = (path: string): [status: number, body: unknown] => {
    if (path.startsWith('/v1/agents')) {
      const data = XSS_PAYLOADS.map((name, n) => ({ id: `ag_${n}`, name, systemPrompt: name }));
      return [200, { data }];
    }
    if (path === '/v1/calls/outbound') {
      const n = dials++;
      const payload = payloadFor(String(n));
      return n % 10 === 9
        ? [400, { error: payload, message: payload }]
        : [200, { call_id: String(n) }];
    }
    const callId = /\/calls\/([^/]+)\/analytics/.exec(path)?.[1] ?? '0';
    const payload = payloadFor(callId);
    const said = [
      { role: 'agent', text: payload },
      { role: 'user', text: payload },
    ];
    return [
      200,
      {
        ...{ status: 'completed', outcome: 'answered', ended_reason: payload, duration: 3 },
        ...{ transcript: said, summary: payload, sentiment: { label: payload, score: 0.5 } },
        recording_url: Number(callId) % 2 ? payload : `https://elsewhere.example/?${payload}`,
        cost_currency: payload,
      },
    ];
  };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const [status, body] = answerTo(request.url ?? '');
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
