// The part of ElevenLabs' published API that callsheet speaks, as JSON Schema. Sources: elevenlabs/elevenlabs-python
// 2.59.0 (54e5899, 2026-07-23) src/elevenlabs/conversational_ai/{twilio,agents,conversations}/raw_client.py and
// types/{conversation_initiation_client_data_request_input,telephony_call_config}.py; the kinds of a dynamic variable
// from elevenlabs-docs (3557f0b, 2025-08-25) fern/apis/api/openapi.json. Read 2026-11-22.
//
// Stricter than these in one thing: names that they do not know are refused here and ignored there, so that a
// misspelt one is seen.

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
/** Values of a query are text; these are whole numbers. */
const count = { type: 'string', pattern: '^\\d+$' };
/** "Can not exceed 100, defaults to 30." */
const pageSize = { type: 'string', pattern: '^([1-9]\\d?|100)$' };
const flag = { type: 'string', enum: ['true', 'false'] };

const clientData = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    conversation_config_override: { type: ['object', 'null'] },
    custom_llm_extra_body: { type: ['object', 'null'] },
    user_id: textOrNull,
    source_info: { type: ['object', 'null'] },
    branch_id: textOrNull,
    environment: textOrNull,
    starting_workflow_node_id: textOrNull,
    dynamic_variables: {
      type: ['object', 'null'],
      additionalProperties: { type: ['string', 'number', 'integer', 'boolean', 'null'] },
    },
  },
};

/** `POST /v1/convai/twilio/outbound-call` */
export const OUTBOUND_CALL = {
  body: {
    type: 'object',
    required: ['agent_id', 'agent_phone_number_id', 'to_number'],
    additionalProperties: false,
    properties: {
      agent_id: text,
      agent_phone_number_id: text,
      to_number: text,
      conversation_initiation_client_data: clientData,
      call_recording_enabled: { type: ['boolean', 'null'] },
      telephony_call_config: {
        type: ['object', 'null'],
        additionalProperties: false,
        properties: {
          ringing_timeout_secs: { type: ['integer', 'null'] },
          twilio_call_recording_enabled: { type: ['boolean', 'null'] },
        },
      },
    },
  },
};

/** `GET /v1/convai/agents` */
export const LIST_AGENTS = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      page_size: pageSize,
      search: text,
      archived: flag,
      show_only_owned_agents: flag,
      created_by_user_id: text,
      sort_direction: text,
      sort_by: text,
      cursor: text,
    },
  },
};

/** `GET /v1/convai/conversations` */
export const LIST_CONVERSATIONS = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      cursor: text,
      agent_id: text,
      call_successful: { type: 'string', enum: ['success', 'failure', 'unknown'] },
      call_start_before_unix: count,
      call_start_after_unix: count,
      user_id: text,
      page_size: pageSize,
      summary_mode: { type: 'string', enum: ['exclude', 'include'] },
      exclude_statuses: text,
      termination_reasons: text,
    },
  },
};

/** `GET /v1/convai/conversations/{conversation_id}` */
export const ONE_CONVERSATION = {
  querystring: { type: 'object', additionalProperties: false, properties: { format: text } },
};

/** `status` of a conversation: get_conversation_response_model_status.py. */
export const STATUSES = ['initiated', 'in-progress', 'processing', 'done', 'failed'] as const;

/** `metadata.phone_call.call_result`: CallResult of the package 2.73.0 (2026-10-15); 2.59.0 does not know it yet. */
export const CALL_RESULTS = ['answered', 'voicemail', 'busy', 'no_answer', 'failed'] as const;

/** `failure_reason` of `call_initiation_failure`: elevenlabs.io/docs/eleven-agents/workflows/post-call-webhooks. */
export const FAILURE_REASONS = ['busy', 'no-answer', 'unknown'] as const;
