import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

/** Describes the API as OpenAPI 3.1, from the schemas that check requests and answers. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'callsheet',
        version,
        description:
          'The operations of callsheet over HTTP, for its pages and for programs with a token. Times are ISO 8601 with an offset. What is refused is told as RFC 9457 problem details.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer' },
          // Its name is known once the console listens.
          session: { type: 'apiKey', in: 'cookie', name: 'callsheet_session' },
        },
      },
      security: [{ token: [] }, { session: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
}

/** The document. @param cookie the name of the session's cookie */
export function openApiOf(app: Pick<FastifyInstance, 'swagger'>, cookie: string) {
  const document = app.swagger() as { components?: Record<string, object> };
  const session = { type: 'apiKey', in: 'cookie', name: cookie };
  const { securitySchemes, schemas = {}, ...others } = document.components ?? {};
  // No request has a schema with a name.
  const answered = Object.entries(schemas).filter(([name]) => !name.endsWith('Input'));
  return {
    ...document,
    components: {
      ...others,
      securitySchemes: { ...securitySchemes, session },
      schemas: Object.fromEntries(answered),
    },
  };
}
