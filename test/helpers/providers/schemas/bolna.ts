// The part of Bolna's published API that callsheet speaks, as JSON Schema. Source: bolna-ai/skills
// references/openapi.yml (28b24aa, 2026-05-27), paths `/call`, `/v2/agent/all`, `/executions/{execution_id}`,
// `/v2/agent/{agent_id}/executions` and `/user/me`. Read 2026-11-22.
//
// Stricter than that in one thing: names that it does not know are refused here, so that a misspelt one is seen.

const text = { type: 'string' };
const uuid = { type: 'string', format: 'uuid' };
/** Values of a query are text; these are whole numbers. */
const count = { type: 'string', pattern: '^[1-9]\\d*$' };
const nothing = { type: 'object', additionalProperties: false, properties: {} };

/** `POST /call` */
export const MAKE_CALL = {
  body: {
    type: 'object',
    required: ['agent_id', 'recipient_phone_number'],
    additionalProperties: false,
    properties: {
      agent_id: uuid,
      recipient_phone_number: text,
      from_phone_number: text,
      scheduled_at: text,
      user_data: { type: 'object', additionalProperties: true },
      agent_data: { type: 'object' },
      retry_config: { type: 'object' },
      bypass_call_guardrails: { type: 'boolean' },
    },
  },
};

/** `GET /v2/agent/all` and `GET /user/me` */
export const NO_QUERY = { querystring: nothing };

/** `GET /executions/{execution_id}` */
export const ONE_EXECUTION = {
  params: { type: 'object', required: ['id'], properties: { id: uuid } },
  querystring: nothing,
};

/** `status` of an execution: schema AgentExecution. */
export const STATUSES = [
  'scheduled',
  'queued',
  'rescheduled',
  'initiated',
  'ringing',
  'in-progress',
  'call-disconnected',
  'completed',
  'balance-low',
  'busy',
  'no-answer',
  'canceled',
  'failed',
  'stopped',
  'error',
] as const;

/** `GET /v2/agent/{agent_id}/executions` */
export const LIST_EXECUTIONS = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      page_number: count,
      page_size: { type: 'string', pattern: '^([1-9]|[1-4]\\d|50)$' },
      status: { type: 'string', enum: STATUSES },
      call_type: { type: 'string', enum: ['inbound', 'outbound'] },
      provider: text,
      answered_by_voice_mail: { type: 'string', enum: ['true', 'false'] },
      batch_id: text,
      from: text,
      to: text,
    },
  },
};

/** What `telephony_data.hangup_reason` says: references/hangup-codes.md, its two tables of reasons. */
export const HANGUP_REASONS = [
  'inactivity_timeout',
  'llm_prompted_hangup',
  'Call recipient was busy',
  'Call unanswered',
  'Call recipient number invalid',
  'Call recipient hung up',
  'Carrier declined',
  'Call recipient rejected',
  'failed',
  'Carrier ended because call limit exceeded',
  'Bolna Error',
  'Carrier unable to receive media',
  'Network Congestion From Carrier',
  'End of inputs from Bolna',
  'Carrier unable to reach bolna',
  'Carrier ended call because MPC duration limit exceeded',
  'Telephony Internal Error',
  'Carrier Internal Error',
  'Call completed',
  'Call canceled',
  'Call ended',
  'Call timed out',
  'Unknown',
] as const;

/** What `error_message` of a failed execution says: debug-bolna-calls/SKILL.md, "Status: failed / error". */
export const ERROR_MESSAGES = [
  'from_phone_number not owned by account',
  'invalid phone number format',
  'agent restricted due to disallowed content',
  'concurrency limit reached',
  'provider auth failed',
] as const;
