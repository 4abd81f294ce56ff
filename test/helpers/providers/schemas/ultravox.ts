// The part of Ultravox's published API that callsheet speaks, as JSON Schema. Source: its OpenAPI as kept in
// tryAGI/Ultravox at a86787a (2026-07-02), src/libs/Ultravox/openapi.yaml: agents_list, agents_calls_create, calls_list,
// calls_retrieve, calls_messages_list. Read 2026-11-27.
//
// Stricter than that in one thing: names that it does not know are refused here, so that a misspelt one is seen.

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const object = { type: 'object' };
/** Values of a query are text; these are whole numbers. */
const page = { cursor: text, pageSize: { type: 'string', pattern: '^[1-9]\\d*$' } };
const querystring = (properties: object) => ({
  querystring: { type: 'object', additionalProperties: false, properties },
});

export const LIST_AGENTS = querystring({ ...page, search: text, sort: text });
export const LIST_CALLS = querystring({
  ...page,
  agentIds: text,
  fromDate: { type: 'string', format: 'date-time' },
  toDate: { type: 'string', format: 'date-time' },
  sort: text,
});
export const LIST_MESSAGES = querystring({
  ...page,
  mode: { type: 'string', enum: ['last_stage', 'in_call'] },
});
export const NO_QUERY = querystring({});

/** `POST /api/agents/{agent_id}/calls`: ultravox.v1.StartAgentCallRequest, of the media only Twilio's. */
export const START_AGENT_CALL = {
  ...querystring({ throttle: text }),
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      templateContext: object,
      // Optional metadata; all values must be strings.
      metadata: { type: 'object', additionalProperties: text },
      medium: {
        type: 'object',
        additionalProperties: false,
        required: ['twilio'],
        properties: {
          twilio: {
            type: 'object',
            additionalProperties: false,
            properties: {
              outgoing: {
                type: 'object',
                additionalProperties: false,
                properties: { to: text, from: text, additionalParams: object },
              },
            },
          },
        },
      },
      firstSpeakerSettings: {
        type: 'object',
        additionalProperties: false,
        properties: { user: object, agent: object },
      },
      joinTimeout: text,
      maxDuration: text,
      recordingEnabled: { type: 'boolean' },
    },
  },
};

/** EndReasonEnum. */
export const END_REASONS = [
  'unjoined',
  'hangup',
  'agent_hangup',
  'timeout',
  'connection_error',
  'system_error',
] as const;

export const CALL = {
  type: 'object',
  required: [
    ...['agent', 'agentId', 'billedDuration', 'billedSideInputTokens', 'billedSideOutputTokens'],
    ...['billingStatus', 'callId', 'clientVersion', 'created', 'endReason', 'ended'],
    ...['experimentalSettings', 'firstSpeaker', 'firstSpeakerSettings', 'initialOutputMedium'],
    ...['initialState', 'joinUrl', 'joined', 'metadata', 'requestContext', 'shortSummary'],
    ...['sipDetails', 'summary'],
  ],
  properties: {
    agent: { type: 'object', required: ['agentId', 'name'] },
    agentId: textOrNull,
    billedDuration: textOrNull,
    callId: { type: 'string', format: 'uuid' },
    created: { type: 'string', format: 'date-time' },
    joined: textOrNull,
    ended: textOrNull,
    endReason: { enum: [...END_REASONS, null] },
    medium: { type: ['object', 'null'] },
    metadata: { type: 'object', additionalProperties: text },
    shortSummary: textOrNull,
    summary: textOrNull,
    sipDetails: { type: ['object', 'null'] },
  },
};

/** A page of something, `Paginated...List`. */
export const pageOf = (item: object) => ({
  type: 'object',
  required: ['results'],
  properties: {
    next: textOrNull,
    previous: textOrNull,
    results: { type: 'array', items: item },
    total: { type: 'integer' },
  },
});

export const AGENT = {
  type: 'object',
  required: ['agentId', 'created', 'publishedRevisionId', 'statistics'],
  properties: { agentId: text, name: { type: 'string', maxLength: 64 }, callTemplate: object },
};

/** ultravox.v1.Message; it requires nothing. */
export const MESSAGE = {
  type: 'object',
  properties: {
    role: {
      enum: [
        'MESSAGE_ROLE_UNSPECIFIED',
        'MESSAGE_ROLE_USER',
        'MESSAGE_ROLE_AGENT',
        'MESSAGE_ROLE_TOOL_CALL',
        'MESSAGE_ROLE_TOOL_RESULT',
      ],
    },
    text,
    callStageMessageIndex: { type: 'integer' },
  },
};
