import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

import type { Desk } from '../desk.ts';
import { sessionCookie } from '../guards/identity.ts';
import { accessRoutes } from './access.ts';
import type { Api } from './api.ts';
import { campaignJobRoutes, jobRoutes } from './campaign-jobs.ts';
import { campaignRoutes } from './campaigns.ts';
import { doubtRoutes } from './doubts.ts';
import { draftRoutes } from './drafts.ts';
import { figureRoutes, scheduleRoutes } from './figures.ts';
import { inboxRoutes } from './inbox.ts';
import { peopleRoutes } from './people.ts';
import { resultRoutes } from './results.ts';
import { ruleRoutes } from './rules.ts';
import { serviceRoutes } from './services.ts';
import { sessionRoutes } from './session.ts';
import { suppressionRoutes } from './suppression.ts';
import { uploadRoutes } from './uploads.ts';

/** Every route of the API. */
export function apiRoutes(api: Api, desk: Desk): void {
  sessionRoutes(api, desk);
  campaignRoutes(api, desk);
  campaignJobRoutes(api, desk);
  peopleRoutes(api, desk);
  doubtRoutes(api, desk);
  resultRoutes(api, desk);
  figureRoutes(api, desk);
  uploadRoutes(api, desk);
  draftRoutes(api, desk);
  suppressionRoutes(api, desk);
  serviceRoutes(api, desk);
  inboxRoutes(api, desk);
  scheduleRoutes(api, desk);
  ruleRoutes(api, desk);
  jobRoutes(api, desk);
  accessRoutes(api, desk);
  api.get(
    '/api/v1/openapi.json',
    { schema: { hide: true }, config: { role: 'anyone' } },
    (request) => openApiOf(api, sessionCookie(request, desk)),
  );
}

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
