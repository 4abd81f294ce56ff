import fc from 'fast-check';
import rateLimit from '@fastify/rate-limit';
import { fastify } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apiRoutes } from '../../../src/console/routes/routes.ts';
import { marks, problem } from '../../../src/views/fields.ts';
import { masking } from '../../../src/views/masking.ts';
import { examples } from '../../helpers/properties.ts';

const NUMBER = '+12125550143';
const SAID = 'Please call me tomorrow.';

interface Answer {
  route: string;
  schema: z.core.$ZodTypes;
}

/** Every answer of the API that is no problem, from the routes as they are registered. */
async function answersOfApi(): Promise<Answer[]> {
  const found: Answer[] = [];
  const api = fastify({ exposeHeadRoutes: false, routerOptions: { maxParamLength: 500 } });
  api.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler);
  await api.register(rateLimit, { global: false });
  api.addHook('onRoute', ({ method, url, schema }) => {
    const answers = Object.entries((schema?.response ?? {}) as Record<string, Answer['schema']>);
    const route = `${String(method)} ${url}`;
    if (answers.length === 0 && schema?.hide !== true) throw new Error(`${route} has no schema`);
    for (const [status, one] of answers) if (status < '4') found.push({ route, schema: one });
  });
  await api.register((inner, _options, next) => {
    apiRoutes(inner, { files: {}, world: {} } as never);
    next();
  });
  await api.ready();
  return found;
}

/** Values of a schema, with a number or what was said wherever a mark stands. */
function valueOf(schema: z.core.$ZodTypes): fc.Arbitrary<unknown> {
  const { def } = schema._zod;
  const inner = (one: z.core.$ZodType) => valueOf(one as z.core.$ZodTypes);
  const mark = marks.get(schema)?.masked;
  if (mark === 'file') return fc.constant(null);
  if (mark === 'said') return fc.constant(SAID);
  if (mark !== undefined) return fc.constant(NUMBER);
  if (def.type === 'string') {
    const { pattern, maxLength } = z.toJSONSchema(schema);
    if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
    return fc.constant('plain'.slice(0, maxLength));
  }
  if (def.type === 'number') return fc.constant(1);
  if (def.type === 'boolean') return fc.boolean();
  if (def.type === 'enum') return fc.constantFrom(...Object.values(def.entries));
  if (def.type === 'literal') return fc.constantFrom(...def.values);
  if (def.type === 'array') return fc.array(inner(def.element), { maxLength: 2 });
  if (def.type === 'union') return fc.oneof(...def.options.map(inner));
  if (def.type === 'nullable') return fc.oneof(fc.constant(null), inner(def.innerType));
  if (def.type === 'optional' || def.type === 'default') return inner(def.innerType);
  if (def.type === 'record') {
    const keys = inner(def.keyType) as fc.Arbitrary<string>;
    return fc.dictionary(keys, inner(def.valueType), { maxKeys: 2 });
  }
  if (def.type === 'object') {
    const fields = Object.entries(def.shape).map(([key, one]) => [key, inner(one)] as const);
    return fc.record(Object.fromEntries(fields));
  }
  throw new Error(`no values of ${def.type}`);
}

describe('an answer to somebody who may not read what was said', async () => {
  const answers = await answersOfApi();
  const refusal = { route: 'every route that refuses', schema: problem };

  it.each([...answers, refusal].map(({ route, schema }) => [route, schema] as const))(
    'of %s is of its schema, without numbers and without what was said',
    (_, schema) => {
      const mask = masking(schema);
      if (marks.get(schema)?.masked === 'file') return;
      fc.assert(
        fc.property(valueOf(schema), (value) => {
          const shown = mask ? mask(value) : value;
          expect(JSON.stringify(shown)).not.toMatch(/2125550143|tomorrow/);
          expect((schema as unknown as z.ZodType).parse(shown)).toEqual(shown);
        }),
        { numRuns: examples(20) },
      );
    },
  );

  it('is a file, without a schema, for the results, the report and lists of rejected rows alone', () => {
    const files = answers.filter(({ schema }) => marks.get(schema)?.masked === 'file');
    expect(files.map(({ route }) => route)).toEqual([
      'GET /api/v1/campaigns/:campaign/results',
      'POST /api/v1/campaigns/:campaign/results',
      'GET /api/v1/campaigns/:campaign/captured-leads',
      'GET /api/v1/campaigns/:campaign/report',
      'GET /api/v1/campaigns/:campaign/rejects',
    ]);
  });
});
