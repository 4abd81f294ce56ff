// The part of Retell's published API that callsheet speaks, as JSON Schema. Sources:
// RetellAI/retell-typescript-sdk v5.60.0 (b274013, 2026-07-31) src/resources/{call,agent,concurrency}.ts; least lengths
// and the bodies of refusals from the OpenAPI on docs.retellai.com (spec revision 2026-08-01-ad84c11). Read 2026-11-22.
//
// Stricter than these in one thing: names that they do not know are refused here, so that a misspelt one is seen.

const text = { type: 'string' };
const filled = { type: 'string', minLength: 1 };
const textsByName = { type: 'object', additionalProperties: text };
/** Values of a query are text; these are whole numbers. */
const count = { type: 'string', pattern: '^\\d+$' };
const order = { type: 'string', enum: ['ascending', 'descending'] };

/** `POST /v2/create-phone-call`: CallCreatePhoneCallParams. */
export const CREATE_PHONE_CALL = {
  body: {
    type: 'object',
    required: ['from_number', 'to_number'],
    additionalProperties: false,
    properties: {
      from_number: filled,
      to_number: filled,
      agent_override: { type: 'object' },
      custom_sip_headers: textsByName,
      ignore_e164_validation: { type: 'boolean' },
      metadata: { type: 'object' },
      override_agent_id: filled,
      override_agent_version: { type: ['string', 'integer'] },
      retell_llm_dynamic_variables: textsByName,
    },
  },
};

/** `POST /v2/list-agents`: AgentListParams. */
export const LIST_AGENTS = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: { limit: count, pagination_key: text, sort_order: order },
  },
  body: {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      filter_criteria: {
        type: 'object',
        additionalProperties: false,
        properties: {
          query: text,
          channel: {
            type: 'object',
            required: ['op', 'type', 'value'],
            additionalProperties: false,
            properties: {
              op: { type: 'string', enum: ['eq', 'ne', 'sw', 'ew', 'co'] },
              type: { type: 'string', const: 'string' },
              value: { type: 'string', enum: ['voice', 'chat'] },
            },
          },
        },
      },
    },
  },
};

const aboutNumber = {
  type: 'object',
  required: ['op', 'type', 'value'],
  additionalProperties: false,
  properties: {
    op: { type: 'string', enum: ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] },
    type: { type: 'string', const: 'number' },
    value: { type: 'number' },
  },
};

/** `POST /v3/list-calls`: CallListParams; of the criteria only those about times. */
export const LIST_CALLS = {
  body: {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      filter_criteria: {
        type: 'object',
        additionalProperties: false,
        properties: { start_timestamp: aboutNumber, end_timestamp: aboutNumber },
      },
      include_total: { type: 'boolean' },
      limit: { type: 'integer', minimum: 1 },
      pagination_key: text,
      skip: { type: 'integer', minimum: 0 },
      sort_order: order,
    },
  },
};

/** Operations that take nothing but their path: `GET /v2/get-call/{call_id}`, `GET /get-concurrency`. */
export const NO_QUERY = {
  querystring: { type: 'object', additionalProperties: false, properties: {} },
};

const utterance = {
  type: 'object',
  required: ['content', 'role', 'words'],
  properties: {
    content: text,
    role: { type: 'string', enum: ['agent', 'user', 'transfer_target'] },
    words: { type: 'array' },
  },
};

/** `disconnection_reason` of PhoneCallResponse. */
export const DISCONNECTION_REASONS = [
  'user_hangup',
  'agent_hangup',
  'call_transfer',
  'voicemail_reached',
  'ivr_reached',
  'inactivity',
  'max_duration_reached',
  'concurrency_limit_reached',
  'no_concurrency_fallback',
  'no_valid_payment',
  'scam_detected',
  'dial_busy',
  'dial_failed',
  'dial_no_answer',
  'invalid_destination',
  'telephony_provider_permission_denied',
  'telephony_provider_unavailable',
  'sip_routing_error',
  'marked_as_spam',
  'user_declined',
  'error_llm_websocket_open',
  'error_llm_websocket_lost_connection',
  'error_llm_websocket_runtime',
  'error_llm_websocket_corrupt_payload',
  'error_no_audio_received',
  'error_asr',
  'error_retell',
  'error_unknown',
  'error_user_not_joined',
  'registered_call_timeout',
  'transfer_bridged',
  'transfer_cancelled',
  'manual_stopped',
  'call_take_over',
] as const;

export const CALL_STATUSES = ['registered', 'not_connected', 'ongoing', 'ended', 'error'] as const;
export const SENTIMENTS = ['Negative', 'Positive', 'Neutral', 'Unknown'] as const;

/** PhoneCallResponse, and V3PhoneCallResponse of a list. */
export const CALL = {
  type: 'object',
  required: [
    ...['agent_id', 'agent_version', 'call_id', 'call_status', 'call_type'],
    ...['direction', 'from_number', 'to_number'],
  ],
  properties: {
    agent_id: text,
    agent_version: { type: 'integer' },
    call_id: text,
    call_status: { type: 'string', enum: CALL_STATUSES },
    call_type: { type: 'string', const: 'phone_call' },
    direction: { type: 'string', enum: ['inbound', 'outbound'] },
    from_number: text,
    to_number: text,
    metadata: { type: 'object' },
    retell_llm_dynamic_variables: textsByName,
    disconnection_reason: { type: 'string', enum: DISCONNECTION_REASONS },
    start_timestamp: { type: 'integer' },
    end_timestamp: { type: 'integer' },
    duration_ms: { type: 'integer' },
    transcript: text,
    transcript_object: { type: 'array', items: utterance },
    recording_url: text,
    call_analysis: {
      type: 'object',
      properties: {
        call_successful: { type: 'boolean' },
        call_summary: text,
        custom_analysis_data: { type: 'object' },
        in_voicemail: { type: 'boolean' },
        user_sentiment: { type: 'string', enum: SENTIMENTS },
      },
    },
    call_cost: {
      type: 'object',
      required: [
        ...['combined_cost', 'product_costs'],
        ...['total_duration_seconds', 'total_duration_unit_price'],
      ],
      properties: { combined_cost: { type: 'number' }, product_costs: { type: 'array' } },
    },
  },
};

const page = { has_more: { type: 'boolean' }, pagination_key: text };

/** CallListResponse. */
export const CALLS = {
  type: 'object',
  properties: { ...page, items: { type: 'array', items: CALL } },
};

/** AgentListResponse. */
export const AGENTS = {
  type: 'object',
  properties: {
    ...page,
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['agent_id', 'agent_name', 'channel', 'tags', 'user_modified_timestamp'],
        properties: {
          agent_id: text,
          agent_name: text,
          channel: { type: 'string', enum: ['voice', 'chat'] },
          tags: { type: 'object' },
          user_modified_timestamp: { type: 'integer' },
        },
      },
    },
  },
};
