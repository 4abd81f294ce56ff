/**
 * The part of Vapi's published schema that a dial, a new assistant and the two lists need. Source: VapiAI/docs at
 * eabfa53 (2026-08-20), fern/apis/api/openapi.json: CreateCallDTO, CreateCustomerDTO, AssistantOverrides,
 * CreateAssistantDTO, OpenAIModel, OpenAIMessage, CallController_findAll, AssistantController_findAll. Properties that
 * are not needed are carried by name; the document does not forbid others, the service does ("property x should not exist").
 */

const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, {}]));
const text = (maxLength?: number) => ({
  type: 'string',
  ...(maxLength === undefined ? {} : { maxLength }),
});

const assistantOverrides = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...named('transcriber', 'model', 'voice', 'firstMessage', 'firstMessageInterruptionsEnabled'),
    ...named('firstMessageMode', 'voicemailDetection', 'clientMessages', 'serverMessages'),
    ...named('maxDurationSeconds', 'backgroundSound', 'modelOutputInMessagesEnabled'),
    ...named('transportConfigurations', 'observabilityPlan', 'credentials', 'hooks'),
    ...named('tools:append', 'name', 'voicemailMessage', 'endCallMessage', 'endCallPhrases'),
    ...named('compliancePlan', 'backgroundSpeechDenoisingPlan', 'analysisPlan', 'artifactPlan'),
    ...named('startSpeakingPlan', 'stopSpeakingPlan', 'monitorPlan', 'credentialIds', 'server'),
    ...named('keypadInputPlan'),
    variableValues: { type: 'object' },
    metadata: { type: 'object' },
  },
};

const customer = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...named('squadOverrides'),
    numberE164CheckEnabled: { type: 'boolean' },
    extension: text(10),
    assistantOverrides,
    number: { type: 'string', minLength: 3, maxLength: 40 },
    sipUri: text(),
    name: text(40),
    email: text(40),
    externalId: text(40),
  },
};

export const CREATE_CALL = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...named('transport', 'schedulePlan', 'assistant', 'squad', 'squadOverrides', 'workflow'),
    ...named('workflowOverrides', 'phoneNumber'),
    assistantVersion: { type: 'string', nullable: true },
    customers: { type: 'array', items: customer },
    name: text(40),
    assistantId: text(),
    assistantOverrides,
    squadId: text(),
    workflowId: text(),
    phoneNumberId: text(),
    customerId: text(),
    customer,
  },
};

const message = {
  type: 'object',
  required: ['content', 'role'],
  properties: {
    content: { type: 'string', nullable: true, maxLength: 100_000_000 },
    role: { type: 'string', enum: ['assistant', 'function', 'user', 'system', 'tool'] },
  },
};

/** One of 17 that a model may be; of its 156 names those of one family. */
const openAiModel = {
  type: 'object',
  required: ['provider', 'model'],
  properties: {
    messages: { type: 'array', items: message },
    provider: { type: 'string', enum: ['openai'] },
    model: {
      type: 'string',
      enum: [
        'gpt-4o',
        'gpt-4o-2024-05-13',
        'gpt-4o-2024-08-06',
        'gpt-4o-2024-11-20',
        'gpt-4o-mini',
        'gpt-4o-mini-2024-07-18',
      ],
    },
  },
};

/** What the 20 kinds of voices have in common. */
const voice = {
  type: 'object',
  required: ['provider'],
  properties: {
    provider: {
      type: 'string',
      enum: [
        ...['azure', 'cartesia', 'custom-voice', 'deepgram', '11labs', 'hume', 'lmnt', 'neuphonic'],
        ...['openai', 'playht', 'wellsaid', 'rime-ai', 'smallest-ai', 'tavus', 'vapi', 'sesame'],
        ...['inworld', 'minimax', 'xai', 'microsoft'],
      ],
    },
  },
};

export const CREATE_ASSISTANT = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...assistantOverrides.properties,
    'tools:append': false,
    variableValues: false,
    model: openAiModel,
    voice,
    name: text(40),
    firstMessage: text(),
  },
};

const time = { type: 'string', format: 'date-time' };
const times = {
  createdAtGt: time,
  createdAtLt: time,
  createdAtGe: time,
  createdAtLe: time,
  updatedAtGt: time,
  updatedAtLt: time,
  updatedAtGe: time,
  updatedAtLe: time,
};
/** A number from 0 to 1000, as it stands in an address. */
const limit = { type: 'string', pattern: '^([0-9]{1,3}|1000)$' };

export const LIST_ASSISTANTS = {
  type: 'object',
  additionalProperties: false,
  properties: { limit, ...times },
};

export const LIST_CALLS = {
  type: 'object',
  additionalProperties: false,
  properties: { limit, ...times, id: text(), assistantId: text(), phoneNumberId: text() },
};
