// The part of Cartesia's published API that callsheet speaks, as JSON Schema. Sources: docs.cartesia.ai, version
// 2026-03-01: create-outbound-call, get-call, list-calls, api-errors; for agents, turns of a transcript and what is
// required its OpenAPI as kept in tryAGI/Cartesia at 7f8fbf3 (2026-08-08). Read 2026-11-27.
//
// Stricter than these in one thing: names that they do not know are refused here, so that a misspelt one is seen.

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };

const headers = {
  type: 'object',
  required: ['cartesia-version'],
  properties: { 'cartesia-version': { type: 'string', const: '2026-03-01' } },
};
const nothing = { type: 'object', additionalProperties: false, properties: {} };

/** Operations that take nothing but their path. */
export const NO_QUERY = { headers, querystring: nothing };

/** `POST /agents/calls`: AgentOutboundCallRequest. */
export const CREATE_OUTBOUND_CALL = {
  headers,
  body: {
    type: 'object',
    required: ['from_number_id', 'agent_id', 'outbound_calls'],
    additionalProperties: false,
    properties: {
      from_number_id: text,
      agent_id: text,
      outbound_calls: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['to_number'],
          additionalProperties: false,
          properties: { to_number: text, metadata: { type: 'object' } },
        },
      },
      ringing_timeout_seconds: { type: 'integer', minimum: 5, maximum: 80 },
      max_call_duration_minutes: { type: 'integer' },
    },
  },
};

/** `status` of a call in this version, and in the versions before it. */
export const STATUSES = ['created', 'started', 'completed', 'failed'] as const;
export const OLDER_STATUSES = ['active', 'completed', 'failed', 'cancelled'] as const;

/** `end_reason` of a call. */
export const END_REASONS = [
  ...(['agent_hangup', 'client_hangup', 'api_cancelled', 'max_duration', 'inactivity'] as const),
  ...(['client_disconnected', 'dial_busy', 'dial_failed', 'dial_no_answer', 'error'] as const),
];

export const CALL = {
  type: 'object',
  required: ['id', 'agent_id', 'status'],
  properties: {
    id: text,
    agent_id: text,
    status: { type: 'string', enum: STATUSES },
    start_time: textOrNull,
    end_time: textOrNull,
    end_reason: { enum: [...END_REASONS, null] },
    summary: textOrNull,
    metadata: { type: ['object', 'null'] },
    telephony_params: { type: ['object', 'null'], required: ['to', 'from'] },
    transcript: {
      type: ['array', 'null'],
      items: {
        type: 'object',
        required: ['role', 'start_timestamp', 'end_timestamp'],
        properties: { role: { enum: ['user', 'assistant', 'system'] }, text: textOrNull },
      },
    },
  },
};

/** AgentSummary. */
export const AGENTS = {
  type: 'object',
  required: ['summaries'],
  properties: {
    summaries: {
      type: 'array',
      items: {
        type: 'object',
        required: [
          ...['id', 'name', 'created_at', 'updated_at', 'tts_voice', 'tts_language'],
          ...['has_text_to_agent_run', 'deployment_count'],
        ],
      },
    },
  },
};

export const ERROR = {
  type: 'object',
  required: ['error_code', 'title', 'message', 'request_id'],
  properties: { error_code: textOrNull, title: text, message: text, request_id: text },
};
