import { OUTCOMES } from '../calls/outcome-mix.ts';
import { SENTIMENT_LABELS } from '../calls/conversation.ts';
import { OPEN_STATUSES } from '../calls/timeline.ts';
import { EVENT_TYPES } from '../webhooks/webhook-events.ts';
import { EVENT_STATES } from '../webhooks/webhook-outbox.ts';
import { E164 } from './body.ts';

/** Fields of analytics that are there only where the service is told to send them, or where there is something to say. */
const SOMETIMES_TOLD = {
  outcome: { enum: [...OUTCOMES, 'opted_out'], description: 'How the call ended.' },
  callback_at: { ...time(), description: 'When the person asked to be called again.' },
};
const ALWAYS_TOLD = Object.keys(analytics()).filter((name) => !(name in SOMETIMES_TOLD));

/**
 * Every object that the service sends and accepts, as OpenAPI 3.1 components; a field that is not listed is never sent.
 */
export const SCHEMAS = {
  Error: object({
    error: object(texts('code', 'message', 'field'), ['code', 'message']),
  }),
  NotCompleted: object({
    error: object({ code: { const: 'call_not_completed' }, message: { type: 'string' } }),
    call_id: { type: 'string' },
    status: { enum: OPEN_STATUSES },
  }),
  Agent: object({
    ...texts('id', 'name', 'systemPrompt'),
    voice: { type: ['object', 'null'], description: 'Given back as it came.' },
    created_at: time(),
  }),
  NewAgent: {
    type: 'object',
    required: ['name', 'systemPrompt'],
    properties: {
      name: { type: 'string', minLength: 1 },
      systemPrompt: { type: 'string', minLength: 1 },
      voice: { type: ['object', 'null'] },
    },
  },
  AgentPage: object({
    data: { type: 'array', items: ref('Agent') },
    next_cursor: { type: ['string', 'null'] },
    has_more: { type: 'boolean' },
  }),
  Dial: {
    type: 'object',
    required: ['phone_number', 'agent_id'],
    properties: {
      phone_number: { type: 'string', pattern: E164.source },
      agent_id: { type: 'string' },
    },
  },
  PlacedCall: object({
    ...texts('call_id', 'agent_id', 'phone_number'),
    status: { const: 'queued' },
    created_at: time(),
  }),
  Sentiment: object({
    label: { enum: SENTIMENT_LABELS },
    score: { type: 'number', minimum: -1, maximum: 1 },
  }),
  Turn: object({ role: { enum: ['agent', 'person'] }, text: { type: 'string' } }),
  Analytics: object(analytics(), ALWAYS_TOLD),
  Ring: object({
    ...texts('call_id', 'agent_id'),
    attempt_key: { type: ['string', 'null'] },
    rang_at: time(),
    ended_at: orNull(time()),
    outcome: { enum: [...OUTCOMES, null] },
    duration: { type: ['number', 'null'] },
    sentiment: orNull(ref('Sentiment')),
    transcript: { type: ['string', 'null'] },
    captured_lead: { type: ['object', 'null'] },
  }),
  LedgerEvent: object({
    ...texts('event_id', 'call_id'),
    type: { enum: EVENT_TYPES },
    happened_at: time(),
    fault: { type: ['string', 'null'] },
    state: { enum: EVENT_STATES },
    tries: { type: 'integer', minimum: 0 },
  }),
  Ledger: object({
    calls: { type: 'integer' },
    peak: { type: 'integer' },
    numbers: {
      type: 'array',
      items: object({
        phone_number: { type: 'string' },
        rings: { type: 'array', items: ref('Ring') },
      }),
    },
    events: { type: 'array', items: ref('LedgerEvent') },
  }),
  CallFinished: event(
    'call.finished',
    object({ ...analytics(), idempotency_key: { type: ['string', 'null'] } }, [
      ...ALWAYS_TOLD,
      'idempotency_key',
    ]),
  ),
  LeadCaptured: event(
    'lead.captured',
    object({
      ...texts('call_id', 'agent_id', 'phone_number'),
      idempotency_key: { type: ['string', 'null'] },
      status: { const: 'in_progress' },
      ended_at: { type: 'null' },
      lead: { type: 'object', description: 'Whatever was taken down; fields differ.' },
    }),
  ),
};

export function ref(schema: string): { $ref: string } {
  return { $ref: `#/components/schemas/${schema}` };
}

function analytics() {
  return {
    ...texts('call_id', 'agent_id', 'phone_number'),
    status: {
      enum: ['completed', ...OUTCOMES.filter((outcome) => outcome !== 'answered')],
      description: 'Another word than `completed` only where unanswered calls come with a status.',
    },
    started_at: time(),
    ended_at: time(),
    duration_seconds: { type: 'number', minimum: 0, description: 'Seconds; 0 if nobody answered.' },
    sentiment: orNull(ref('Sentiment')),
    transcript: { type: 'string', description: 'Empty if nobody answered.' },
    turns: { type: 'array', items: ref('Turn') },
    ...SOMETIMES_TOLD,
  };
}

function event(type: string, data: object) {
  return object({ type: { const: type }, id: { type: 'string' }, timestamp: time(), data });
}

/** @param required the names of the required properties; default: all of them */
function object(properties: Record<string, object>, required = Object.keys(properties)) {
  return { type: 'object', required, properties, additionalProperties: false };
}

function texts(...names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
}

function orNull(schema: object) {
  return { anyOf: [schema, { type: 'null' }] };
}

function time() {
  return { type: 'string', format: 'date-time' };
}
