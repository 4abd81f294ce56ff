// The part of Vogent's published API that callsheet speaks, as JSON Schema. Source: its pages as kept in
// crowe452/vogent-docs at d7fb808 (2025-12-14): create-a-new-dial, get-dial, list-agents. Read 2026-11-27.
//
// Stricter than these in one thing: names that they do not know are refused here, so that a misspelt one is seen.

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };

/** `POST /dials`, without voices, overrides and keywords. */
export const CREATE_DIAL = {
  body: {
    type: 'object',
    required: ['callAgentId'],
    additionalProperties: false,
    properties: {
      callAgentId: text,
      webhookUrl: textOrNull,
      browserCall: { type: ['boolean', 'null'] },
      toNumber: textOrNull,
      fromNumberId: textOrNull,
      fromNumberPoolId: textOrNull,
      timeoutMinutes: { type: 'integer' },
      callAgentInput: { type: 'object' },
    },
  },
};

/** `GET /agents`: 100 a page unless asked otherwise. */
export const LIST_AGENTS = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: { limit: { type: 'string', pattern: '^[1-9]\\d*$' }, cursor: text },
  },
};

/** The page of dial statuses. */
export const STATUSES = [
  ...(['queued', 'ringing', 'in-progress', 'completed', 'failed'] as const),
  ...(['canceled', 'busy', 'no-answer'] as const),
];

/** `systemResultType` of a dial. */
export const RESULT_TYPES = [
  ...(['BUSY', 'FAILED', 'NO_ANSWER', 'CANCELLED', 'USER_HANGUP', 'COUNTERPARTY_HANGUP'] as const),
  ...(['TIMEOUT', 'RATE_LIMITED', 'TRANSFERRED', 'AGENT_HANGUP'] as const),
  ...(['VOICEMAIL_DETECTED_HANGUP', 'LONG_SILENCE_HANGUP'] as const),
];

const agent = {
  type: 'object',
  required: ['id', 'name', 'language'],
  properties: { id: text, name: text, language: text },
};

export const AGENTS = {
  type: 'object',
  required: ['data', 'cursor'],
  properties: { data: { type: 'array', items: agent }, cursor: textOrNull },
};

export const DIAL = {
  type: 'object',
  required: ['id'],
  properties: {
    id: text,
    toNumber: text,
    agent,
    recordings: { type: 'array', items: { type: 'object', required: ['url'] } },
    transcript: {
      type: 'array',
      items: {
        type: 'object',
        required: ['text', 'speaker'],
        properties: {
          text,
          speaker: { type: 'string', enum: ['HUMAN', 'AI'] },
          detailType: textOrNull,
        },
      },
    },
    durationSeconds: { type: 'integer' },
    aiResult: { type: 'object' },
    inputs: { type: 'object' },
    status: { type: 'string', enum: STATUSES },
    fromNumberId: text,
    startedAt: { type: 'string', format: 'date-time' },
    endedAt: { type: 'string', format: 'date-time' },
    createdAt: { type: 'string', format: 'date-time' },
    systemResultType: { enum: [...RESULT_TYPES, null] },
  },
};
