// Parameters of Synthflow's requests. Source: its OpenAPI ("Synthflow APIs" 1.0.0, docs.synthflow.ai/openapi.yml of
// 2026-10-04), as archived in api-evangelist/synthflow at 35f9886: operations voice-call, list-assistant. That fields which
// are not listed there are refused is the stand-in's own rule.

const text = { type: 'string' } as const;

/** The body of POST /calls. */
export const VOICE_CALL = {
  type: 'object',
  required: ['model_id', 'phone', 'name'],
  additionalProperties: false,
  properties: {
    model_id: text,
    phone: text,
    from_phone_number: text,
    name: text,
    custom_variables: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        properties: { key: text, value: text },
      },
    },
    lead_email: text,
    lead_timezone: text,
    prompt: text,
    greeting: text,
  },
} as const;

const digits = { type: 'string', pattern: '^\\d+$' } as const;

/** The query of GET /assistants/: 20 a page unless asked otherwise. */
export const LIST_ASSISTANTS = {
  type: 'object',
  additionalProperties: false,
  properties: { limit: digits, offset: digits },
} as const;
