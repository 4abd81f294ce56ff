import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSheet } from 'read-excel-file/node';
import { expect, onTestFinished, test } from 'vitest';
import { desk, rowsOf, type Desk } from '../../../helpers/callsheet.ts';
import { json, PHONES } from '../desk.ts';

const [AL, BO] = PHONES as [string, string];
/** In cents; divided by 100 in binary, the first is 0.12300000000000001. */
const COSTS: Record<string, number> = { [AL]: 12.3, [BO]: 20 };

/** As much of Retell as a campaign needs; every call is over at once. */
async function retell(): Promise<string> {
  const answerTo = (url: string, body: Record<string, string>): unknown => {
    if (url.startsWith('/v2/list-agents')) return { items: [{ agent_id: 'ag_1' }] };
    if (url === '/v3/list-calls') return { items: [], has_more: false };
    if (url === '/get-concurrency') {
      return { concurrency_limit: 20, current_concurrency: 0, reserved_inbound_concurrency: 0 };
    }
    if (url === '/v2/create-phone-call') return { call_id: `call_${body['to_number'] ?? ''}` };
    const phone = decodeURIComponent(url.split('call_').at(-1) ?? '');
    return {
      call_status: 'ended',
      disconnection_reason: 'user_hangup',
      transcript: 'Agent: Hello.\nUser: Hello.\n',
      duration_ms: 42_000,
      call_analysis: { user_sentiment: 'Positive' },
      call_cost: { combined_cost: COSTS[phone] },
    };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answerTo(request.url ?? '', body)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function aCampaign(): Promise<Desk> {
  const at = desk({ RETELL_API_KEY: 'k' });
  const url = await retell();
  mkdirSync(at.path('campaigns'));
  at.write(
    'campaigns/services.yaml',
    `main: { url: '${url}', profile: retell, keyEnv: RETELL_API_KEY, from: '+12125550199' }\n`,
  );
  at.write('leads.csv', `name,phone\nAl,${AL}\nBo,${BO}\n`);
  const flags = ['--service', 'main', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];
  const { code, err } = await at.run(['run', 'leads.csv', ...flags]);
  expect(err).not.toContain('next:');
  expect(code).toBe(0);
  return at;
}

test('a cost of 12.3 cents is 0.123 in every file, and in every command', async () => {
  const at = await aCampaign();
  const columns = ['--columns', 'call_phone,call_cost,call_cost_currency'];
  const exported = async (format: string) => {
    await at.run(['export', 'leads', '--format', format, '-o', `out.${format}`, ...columns]);
    return at.read(`out.${format}`);
  };

  expect(rowsOf(await exported('csv'))).toMatchObject([
    { call_phone: AL, call_cost: '0.123', call_cost_currency: 'USD' },
    { call_phone: BO, call_cost: '0.2', call_cost_currency: 'USD' },
  ]);
  expect(await exported('excel')).toContain(`'${AL},0.123,USD\r\n`);
  expect(await exported('jsonl')).toBe(
    `{"call_phone":"${AL}","call_cost":0.123,"call_cost_currency":"USD"}\n` +
      `{"call_phone":"${BO}","call_cost":0.2,"call_cost_currency":"USD"}\n`,
  );
  await exported('xlsx');
  expect(await readSheet(at.path('out.xlsx'))).toEqual([
    ['call_phone', 'call_cost', 'call_cost_currency'],
    [AL, 0.123, 'USD'],
    [BO, 0.2, 'USD'],
  ]);

  expect((await at.run(['explain', '--calls', AL])).out).toContain('    cost: 0.123 USD\n');
  expect(await json(at, ['explain', '--calls', AL])).toMatchObject([
    { calls: [{ cost: { amount: '0.123', currency: 'USD' } }] },
  ]);
  expect(await json(at, ['report', 'leads'])).toMatchObject({
    figures: { costs: [{ currency: 'USD', amount: '0.323', calls: 2 }] },
  });
  expect((await at.run(['report', 'leads'])).out).toContain('0.32 USD in 2 calls\n');
  const { out } = await at.run(['report', 'leads', '-o', '-']);
  expect(out).toContain('cost 0.123 USD');
  expect(out).toContain('0.32 USD');
});

test('`profile try` shows a computed cost without its binary fraction', async () => {
  const at = desk();
  mkdirSync(at.path('samples'));
  at.write(
    'samples/analytics-done.json',
    JSON.stringify({
      call_status: 'ended',
      duration_ms: 1,
      call_analysis: {},
      call_cost: { combined_cost: 12.3 },
    }),
  );

  const { out } = await at.run(['profile', 'try', 'retell', '--samples', 'samples']);

  expect(out).toMatch(/analytics\.cost .*0\.123\b/);
  expect(out).not.toContain('0.1230');
});
