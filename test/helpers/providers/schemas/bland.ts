// Parameters of Bland's requests. Source: repository CINTELLILABS/docs at 91809e1 (2026-08-09), api-v1/post/calls.mdx
// (1687467), api-v1/get/calls.mdx and api-v1/get/personas.mdx (ba3f8a1). Fields that are not listed there are refused by
// the service itself ("Additional properties are not allowed").

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const integer = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;
const object = { type: 'object' } as const;
const list = { type: 'array' } as const;
const texts = { type: 'array', items: text } as const;

/** The body of POST /v1/calls. A task is required beside a number, unless a pathway or a persona brings it. */
export const SEND_CALL = {
  type: 'object',
  required: ['phone_number'],
  anyOf: [{ required: ['task'] }, { required: ['pathway_id'] }, { required: ['persona_id'] }],
  additionalProperties: false,
  properties: {
    phone_number: text,
    voice: text,
    pathway_id: text,
    pathway_version: integer,
    task: text,
    first_sentence: text,
    persona_id: text,
    model: { enum: ['base', 'turbo'] },
    language: text,
    wait_for_greeting: flag,
    pronunciation_guide: { type: 'array', items: object },
    temperature: { type: 'number', minimum: 0, maximum: 1 },
    interruption_threshold: number,
    interruptibility: { type: 'integer', minimum: 0, maximum: 3 },
    from: text,
    dialing_strategy: object,
    timezone: text,
    start_time: text,
    transfer_phone_number: text,
    transfer_list: object,
    max_duration: integer,
    tools: list,
    background_track: { type: ['string', 'null'] },
    noise_cancellation: flag,
    block_interruptions: flag,
    record: flag,
    voicemail: {
      type: 'object',
      properties: {
        message: text,
        action: { enum: ['hangup', 'leave_message', 'ignore'] },
        sms: object,
        sensitive: flag,
      },
    },
    citation_schema_ids: texts,
    stream_post_transfer_transcript: flag,
    post_call_evals: object,
    summary_prompt: { type: 'string', maxLength: 2000 },
    retry: object,
    dispositions: texts,
    request_data: object,
    metadata: object,
    webhook: { type: 'string', pattern: '^https://' },
    webhook_events: {
      type: 'array',
      items: {
        enum: [
          'queue',
          'call',
          'latency',
          'webhook',
          'tool',
          'dynamic_data',
          'citations',
          'evals',
          'post_transfer_transcript',
        ],
      },
    },
    dynamic_data: { type: ['array', 'null'], items: object },
    keywords: { type: 'array', items: { type: 'string', maxLength: 100 }, maxItems: 20 },
    ignore_button_press: flag,
    precall_dtmf_sequence: { type: 'string', pattern: '^[0-9*#w]*$' },
    guard_rails: { type: 'array', items: object },
  },
} as const;

// What stands in a query is text.
const digits = { type: 'string', pattern: '^\\d+$' } as const;
const decimal = { type: 'string', pattern: '^\\d+(\\.\\d+)?$' } as const;
const bool = { enum: ['true', 'false'] } as const;
const date = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } as const;
/** A date, or ISO 8601 with an offset. */
const moment = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2}))?$',
} as const;

/** The query of GET /v1/calls. */
export const LIST_CALLS = {
  type: 'object',
  additionalProperties: false,
  properties: {
    from_number: text,
    to_number: text,
    from: digits,
    to: digits,
    limit: digits,
    ascending: bool,
    sort_by: { enum: ['created_at', 'updated_at'] },
    start_date: moment,
    end_date: moment,
    created_at: date,
    timezone: text,
    update_start_date: date,
    update_end_date: date,
    completed: bool,
    batch_id: text,
    answered_by: text,
    inbound: bool,
    duration_gt: decimal,
    duration_lt: decimal,
    campaign_id: text,
  },
} as const;

/** The query of GET /v1/personas: at most 100 a page, 20 unless asked otherwise. */
export const LIST_PERSONAS = {
  type: 'object',
  additionalProperties: false,
  properties: {
    page: { type: 'string', pattern: '^[1-9]\\d*$' },
    limit: { type: 'string', pattern: '^([1-9]\\d?|100)$' },
  },
} as const;
