import { ref, SCHEMAS } from './openapi-schemas.ts';

/** The interface of the embedded service: every path, body, answer and event, as OpenAPI 3.1. */
export const OPENAPI = {
  openapi: '3.1.0',
  info: {
    title: 'callsheet embedded voice service',
    version: '1',
    description: 'For rehearsals and tests: it calls nobody.',
  },
  security: [{ key: [] }],
  paths: {
    '/v1/agents': {
      get: {
        summary: 'Agents, the oldest first',
        parameters: [
          query('limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
          query('cursor', { type: 'string', description: 'next_cursor of the page before' }),
        ],
        responses: {
          200: json('A page', 'AgentPage'),
          400: refusal('limit or cursor has another type or was never given'),
          422: refusal('limit is out of bounds'),
          ...always(),
        },
      },
      post: {
        summary: 'Make an agent',
        requestBody: body('NewAgent'),
        responses: {
          201: json('The agent', 'Agent'),
          400: refusal('Not JSON, or a field of another type'),
          413: refusal('More than 1 MiB'),
          422: refusal('A field is missing'),
          ...always(),
        },
      },
    },
    '/v1/calls/outbound': {
      post: {
        summary: 'Call somebody',
        parameters: [
          {
            name: 'Idempotency-Key',
            in: 'header',
            schema: { type: 'string' },
            description: 'Honoured only where the service was started so; always in its ledger.',
          },
        ],
        requestBody: body('Dial'),
        responses: {
          201: json('The phone rings', 'PlacedCall'),
          400: refusal('Not JSON, or a field of another type'),
          413: refusal('More than 1 MiB'),
          422: refusal(
            'A number that is not E.164, no such agent, or a key used with another body',
          ),
          503: refusal('Not available; nothing was done'),
          ...always(),
        },
      },
    },
    '/v1/calls/{call_id}/analytics': {
      get: {
        summary: 'What came of a call',
        parameters: [{ name: 'call_id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: json('The call is completed', 'Analytics'),
          404: refusal('No such call'),
          409: json('Not completed yet', 'NotCompleted'),
          ...always(),
        },
      },
    },
    '/ledger': {
      get: {
        summary:
          'Which phones rang and what was told of it, for tests; at any rate, without faults',
        responses: { 200: json('The ledger of this key', 'Ledger'), 401: refusal('No key') },
      },
    },
    '/openapi.json': {
      get: {
        summary: 'This description',
        security: [],
        responses: { 200: { description: 'OpenAPI 3.1' } },
      },
    },
  },
  webhooks: {
    'call.finished': event('Analytics of a call can be read; they are in it', 'CallFinished'),
    'lead.captured': event('The agent took something down; told nowhere else', 'LeadCaptured'),
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    schemas: SCHEMAS,
  },
};

function query(name: string, schema: object) {
  return { name, in: 'query', schema };
}

function body(schema: string) {
  return { required: true, content: { 'application/json': { schema: ref(schema) } } };
}

function json(description: string, schema: string) {
  return { description, content: { 'application/json': { schema: ref(schema) } } };
}

function refusal(description: string) {
  return json(description, 'Error');
}

/** The error answers that any request may get. */
function always() {
  return {
    401: refusal('No key, or one that is not known'),
    429: {
      ...refusal('Too many requests, or too many calls in progress; nothing was done'),
      headers: { 'Retry-After': { schema: { type: 'integer', minimum: 1 } } },
    },
    500: refusal('Something went wrong'),
  };
}

function event(summary: string, schema: string) {
  return {
    post: {
      summary,
      description:
        'Signed after Standard Webhooks: `webhook-signature` is `v1,` and the base64 HMAC-SHA256 of ' +
        '`webhook-id.webhook-timestamp.body`. Repeated with growing waits until it is answered with a 2xx; ' +
        'in any order.',
      parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
        name,
        in: 'header',
        required: name !== 'webhook-signature',
        schema: { type: 'string' },
      })),
      requestBody: body(schema),
      responses: { '2XX': { description: 'Taken; it is not sent again' } },
    },
  };
}
