import { createConfig, lintFromString } from '@redocly/openapi-core';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/store/console.ts';
import { PASSWORD, startTestConsole, type TestConsole } from '../helpers/console.ts';

interface Operation {
  method: string;
  path: string;
}

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>;
  components: {
    schemas: Record<
      string,
      { oneOf: { properties: Record<'kind', { const: string }> & { result: object } }[] }
    >;
  };
}

let console: TestConsole;
let operations: Operation[];
let text: string;
beforeAll(async () => {
  console = await startTestConsole({ users: { ann: 'admin' } });
  text = await (await console.ask('GET', '/api/v1/openapi.json', undefined, { role: null })).text();
  const { paths } = JSON.parse(text) as Document;
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, 'x'),
    })),
  );
});
afterAll(async () => {
  await console.close();
});

/** What anybody may ask: to sign in, and how. */
const OPEN = ['POST /api/v1/session', 'GET /api/v1/sign-in'];
const isOpen = ({ method, path }: Operation) => OPEN.includes(`${method} ${path}`);
const reads = ({ method }: Operation) => method === 'GET';
/** Everybody may sign out, and change their own password. */
const FOR_ALL = ['/api/v1/session', '/api/v1/session/password'];
const changes = (operation: Operation) => !reads(operation) && !FOR_ALL.includes(operation.path);
const isForAdmins = ({ method, path }: Operation) =>
  /^(\w+ \/api\/v1\/(users|tokens|log|profiles)|POST \/api\/v1\/services$|PUT \/api\/v1\/services\/x\/key)/.test(
    `${method} ${path}`,
  );

const statusOf = async (
  { method, path }: Operation,
  asked: { role?: Role | null; headers?: Record<string, string>; body?: string } = {},
) => {
  const { body = method === 'GET' ? undefined : '{}', headers = {}, role = null } = asked;
  // Hundreds of requests: `fetch` would take twice the time of all else.
  const answer = await request(console.url + path, {
    method,
    headers: {
      ...(role !== null && { authorization: `Bearer ${console.tokens[role] ?? ''}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const { code } = (await answer.body.json()) as { code?: string };
  return { operation: `${method} ${path}`, status: answer.statusCode, code };
};

describe('the OpenAPI document', () => {
  it('lints clean', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
  });

  it('is OpenAPI 3.1 with every route, each by a name of its own', () => {
    const { openapi, paths } = JSON.parse(text) as Document & { openapi: string };
    expect(openapi).toBe('3.1.0');
    const names = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(names.length).toBeGreaterThan(20);
    expect(new Set(names).size).toBe(names.length);
  });

  it('says what comes of each kind of job', () => {
    const { components } = JSON.parse(text) as Document;
    const kinds = components.schemas['Job']?.oneOf.map(({ properties: { kind, result } }) => {
      expect(JSON.stringify(result)).toMatch(/"properties":\{"\w+"/);
      return kind.const;
    });
    expect(kinds?.toSorted()).toEqual([
      ...[
        'call',
        'check',
        'collect',
        'doubts',
        'import',
        'many',
        'plan',
        'rehearse',
        'resume',
        'suppress',
      ],
      'survey',
    ]);
  });
});

describe('every route', () => {
  it('answers nobody without session or token', async () => {
    for (const operation of operations.filter((one) => !isOpen(one)))
      expect(await statusOf(operation)).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN' });
  });

  it('answers no token that is not known', async () => {
    const headers = { authorization: `Bearer cs_${'x'.repeat(43)}` };
    for (const operation of operations.filter((one) => !isOpen(one)))
      expect(await statusOf(operation, { headers })).toMatchObject({ status: 401 });
  });

  it('that changes something is refused to a viewer', async () => {
    for (const operation of operations.filter((one) => changes(one) || isForAdmins(one)))
      expect(await statusOf(operation, { role: 'viewer' }), operation.path).toMatchObject({
        operation: `${operation.method} ${operation.path}`,
        status: 403,
        code: 'NOT_ALLOWED',
      });
  });

  it('of users, tokens, the log and keys is refused to an operator', async () => {
    const those = operations.filter(isForAdmins);
    expect(those.length).toBeGreaterThan(5);
    for (const operation of those)
      expect(await statusOf(operation, { role: 'operator' })).toMatchObject({ status: 403 });
  });

  it('that changes something is refused to a session from another site, or from nowhere', async () => {
    const signedIn = await console.ask(
      'POST',
      '/api/v1/session',
      { name: 'ann', password: PASSWORD },
      { role: null, headers: { origin: console.url } },
    );
    const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
    for (const operation of operations.filter((one) => !reads(one)))
      for (const origin of ['https://elsewhere.example', 'null', undefined]) {
        const headers = { cookie, ...(origin !== undefined && { origin }) };
        expect(await statusOf(operation, { headers })).toMatchObject({
          status: 403,
          code: 'ORIGIN_REFUSED',
        });
      }
  });

  it('takes whatever comes as a body without a defect', async () => {
    const bodies = [
      '',
      '{',
      '[]',
      'null',
      '{"ifVersion":"x","set":5,"name":{},"role":"god"}',
      '"\u0000"',
    ];
    for (const operation of operations.filter((one) => changes(one)))
      for (const body of bodies) {
        const { status } = await statusOf(operation, { role: 'admin', body });
        expect({ operation, body, isDefect: status >= 500 }).toMatchObject({ isDefect: false });
      }
  });
});
