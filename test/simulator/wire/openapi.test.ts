import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DIAL_FAULTS, READ_FAULTS } from '../../../src/simulator/server.ts';
import { until } from '../../helpers/until.ts';
import { aReceiver } from '../webhooks/receiver.ts';
import { aService, everybody, phone } from '../service.ts';
import type { Answer, TestService } from '../service.ts';

interface Described {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>;
  components: { schemas: Record<string, object> };
}
interface Operation {
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}
type Content = Record<string, { schema: object }>;

describe('/openapi.json', () => {
  it('is read without a key and meets no limit', async () => {
    const service = await aService({ rate: 1 });
    for (let index = 0; index < 3; index++) {
      const { status, json } = await service.get('/openapi.json', null);
      expect(status).toBe(200);
      expect(json).toMatchObject({ openapi: '3.1.0' });
    }
  });

  it('describes every answer about agents', async () => {
    const service = await aService({ rate: 30 });
    const check = await checkerOf(service);
    const made = { name: 'Mine', systemPrompt: 'Be kind.', voice: { speed: 1.1 } };
    expect(check('/v1/agents', 'post', await service.post('/v1/agents', made))).toBe(201);
    expect(check('/v1/agents', 'get', await service.get('/v1/agents?limit=1'))).toBe(200);
    expect(check('/v1/agents', 'get', await service.get('/v1/agents?limit=x'))).toBe(400);
    expect(check('/v1/agents', 'get', await service.get('/v1/agents?limit=0'))).toBe(422);
    expect(check('/v1/agents', 'get', await service.get('/v1/agents?cursor=x'))).toBe(400);
    expect(check('/v1/agents', 'get', await service.get('/v1/agents', 'no'))).toBe(401);
    expect(check('/v1/agents', 'post', await service.post('/v1/agents', '{'))).toBe(400);
    expect(check('/v1/agents', 'post', await service.post('/v1/agents', {}))).toBe(422);
    const large = { ...made, systemPrompt: 'x'.repeat(1 << 20) };
    expect(check('/v1/agents', 'post', await service.post('/v1/agents', large))).toBe(413);
    for (let index = 0; index < 30; index++) await service.get('/v1/agents');
    expect(check('/v1/agents', 'get', await service.get('/v1/agents'))).toBe(429);
  });

  it('describes every answer to a dial and about a call', async () => {
    const service = await aService({ mix: everybody('answered'), capacity: 2 });
    const check = await checkerOf(service);
    const dial = '/v1/calls/outbound';
    const analytics = '/v1/calls/{call_id}/analytics';
    const placed = await service.dial(phone(0));
    expect(check(dial, 'post', placed)).toBe(201);
    expect(check(analytics, 'get', await service.analytics(placed.json.call_id))).toBe(409);
    expect(check('/ledger', 'get', await service.get('/ledger'))).toBe(200);
    await service.dial(phone(1));
    expect(check(dial, 'post', await service.dial(phone(2)))).toBe(429);
    await service.clock.advance(10_000_000);
    expect(check(analytics, 'get', await service.analytics(placed.json.call_id))).toBe(200);
    expect(check(analytics, 'get', await service.analytics('call_none'))).toBe(404);
    expect(check('/ledger', 'get', await service.get('/ledger'))).toBe(200);
    expect(check('/ledger', 'get', await service.get('/ledger', null))).toBe(401);
    expect(check(dial, 'post', await service.dial('12'))).toBe(422);
  });

  it.each(['empty', 'status', 'outcome'] as const)(
    'describes analytics of unanswered calls (%s)',
    async (unanswered) => {
      const service = await aService({ mix: 'cold', unanswered, callbacks: 0.5, optOuts: 0.2 });
      const check = await checkerOf(service);
      const ids: string[] = [];
      for (let index = 0; index < 60; index++) {
        ids.push((await service.dial(phone(index))).json.call_id);
      }
      await service.clock.advance(10_000_000);
      for (const id of ids) {
        const answer = await service.analytics(id);
        expect(check('/v1/calls/{call_id}/analytics', 'get', answer)).toBe(200);
      }
    },
  );

  it.each([...DIAL_FAULTS, ...READ_FAULTS].filter((name) => /^\d|^read-500|^no-id/.test(name)))(
    'describes the status of the fault %s',
    async (fault) => {
      const service = await aService({ faults: { [fault]: 1 } });
      const { paths } = await describedBy(service);
      const answer = fault.startsWith('read')
        ? await service.get('/v1/agents')
        : await service.dial(phone(0));
      const operation = fault.startsWith('read')
        ? paths['/v1/agents']?.['get']
        : paths['/v1/calls/outbound']?.['post'];
      expect(operation?.responses).toHaveProperty(String(answer.status));
    },
  );

  it('describes every event', async () => {
    const receiver = await aReceiver();
    const service = await aService({
      mix: 'reminder',
      webhooks: { url: receiver.url, secret: null },
    });
    for (let index = 0; index < 60; index++) await service.dial(phone(index));
    await service.clock.advance(10_000_000);
    await until(() => service.events().every(({ state }) => state === 'acknowledged'));
    const described = await describedBy(service);
    const types = new Set<string>();
    const readers = new Map<string, z.ZodType>();
    for (const { json } of receiver.got) {
      types.add(json.type);
      const schema = described.webhooks[json.type]?.post.requestBody.content['application/json'];
      const reader = readers.get(json.type) ?? readerOf(described, schema?.schema ?? {});
      readers.set(json.type, reader);
      reader.parse(json);
    }
    expect(types).toEqual(new Set(Object.keys(described.webhooks)));
  });

  it('describes no path that is not there', async () => {
    const service = await aService();
    const { paths } = await describedBy(service);
    for (const [path, operations] of Object.entries(paths)) {
      for (const method of Object.keys(operations)) {
        const at = path.replace('{call_id}', 'call_none');
        const { status, text } =
          method === 'get' ? await service.get(at) : await service.post(at, {});
        expect(`${status} ${text}`).not.toContain('There is no GET');
        expect(`${status} ${text}`).not.toContain('There is no POST');
      }
    }
  });
});

async function describedBy(service: TestService): Promise<Described> {
  return JSON.parse((await service.get('/openapi.json')).text) as Described;
}

/** Holds an answer against what is described for it, and gives its status. */
async function checkerOf(service: TestService) {
  const described = await describedBy(service);
  const readers = new Map<object, z.ZodType>();
  return (path: string, method: string, { status, text }: Answer): number => {
    const answer = described.paths[path]?.[method]?.responses[status];
    const schema = answer?.content?.['application/json']?.schema;
    if (schema === undefined) throw new Error(`${method} ${path}: ${status} is not described`);
    const reader = readers.get(schema) ?? readerOf(described, schema);
    readers.set(schema, reader);
    reader.parse(JSON.parse(text));
    return status;
  };
}

/** zod resolves references within one schema only, so the components go into it. */
function readerOf({ components }: Described, schema: object): z.ZodType {
  const whole = JSON.stringify({ ...schema, $defs: components.schemas });
  const local = whole.replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(local) as Parameters<typeof z.fromJSONSchema>[0]);
}
