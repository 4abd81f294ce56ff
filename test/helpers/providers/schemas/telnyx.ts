// What Telnyx's published documents say of the requests and callbacks that callsheet meets, as data. Source: Telnyx
// TeXML Calls API 2.0.0 (texml/calls.yml of telnyx-openapi-ng, as kept in paschun/VoIP d59cb60, 2026-07-14);
// descriptions left out.

const GET_OR_POST = { type: 'string', enum: ['GET', 'POST'] };
const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };

/** `InitiateAICallRequest`: the body of POST /texml/ai_calls/{connection_id}, application/json only. */
export const INITIATE_AI_CALL = {
  type: 'object',
  required: ['From', 'To', 'AIAssistantId'],
  properties: {
    From: TEXT,
    To: TEXT,
    AIAssistantId: TEXT,
    AIAssistantVersion: TEXT,
    AIAssistantDynamicVariables: { type: 'object', additionalProperties: TEXT },
    CallerId: TEXT,
    StatusCallback: TEXT,
    StatusCallbackEvent: TEXT,
    StatusCallbackMethod: GET_OR_POST,
    StatusCallbacks: TEXTS,
    CustomHeaders: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: TEXT, value: TEXT },
        required: ['name', 'value'],
      },
    },
    ConversationCallback: TEXT,
    ConversationCallbackMethod: GET_OR_POST,
    ConversationCallbacks: TEXTS,
    MachineDetection: { type: 'string', enum: ['Enable', 'Disable', 'DetectMessageEnd'] },
    DetectionMode: { type: 'string', enum: ['Premium', 'Regular', 'PremiumCallScreening'] },
    AsyncAmd: { type: 'boolean' },
    AsyncAmdStatusCallback: TEXT,
    AsyncAmdStatusCallbackMethod: GET_OR_POST,
    MachineDetectionTimeout: { type: 'integer', minimum: 500, maximum: 60_000 },
    MachineDetectionPromptEndTimeout: { type: 'integer', minimum: 1_000, maximum: 120_000 },
    MachineDetectionSpeechThreshold: { type: 'integer' },
    MachineDetectionSpeechEndThreshold: { type: 'integer' },
    MachineDetectionSilenceTimeout: { type: 'integer' },
    Passports: TEXT,
    TimeLimit: { type: 'integer', minimum: 30, maximum: 14_400 },
    Timeout: { type: 'integer', minimum: 5, maximum: 120 },
    Record: { type: 'boolean' },
    RecordingChannels: { type: 'string', enum: ['mono', 'dual'] },
    RecordingStatusCallback: TEXT,
    RecordingStatusCallbackMethod: GET_OR_POST,
    RecordingStatusCallbackEvent: TEXT,
    RecordingTimeout: { type: 'integer' },
    RecordingTrack: { type: 'string', enum: ['inbound', 'outbound', 'both'] },
    Trim: { type: 'string', enum: ['trim-silence', 'do-not-trim'] },
    SendRecordingUrl: { type: 'boolean' },
    PreferredCodecs: TEXT,
    SipAuthUsername: TEXT,
    SipAuthPassword: TEXT,
    SipRegion: { type: 'string', enum: ['US', 'Europe', 'Canada', 'Australia', 'Middle East'] },
  },
  // The document allows more; a field that it does not know does nothing.
  additionalProperties: false,
};

/** `CallResource.status` */
export const CALL_STATUSES = [
  'ringing',
  'in-progress',
  'canceled',
  'completed',
  'failed',
  'busy',
  'no-answer',
] as const;

/** `CallResource.answered_by` */
export const ANSWERED_BY = ['human', 'machine', 'not_sure'] as const;

/** `CallStatus` of TexmlCallCompletedWebhookSchema. */
export const ENDED_CALLBACKS = ['completed', 'busy', 'no-answer', 'canceled', 'failed'] as const;

/** Of the callbacks before the end: TexmlCall{Initiated,Ringing,Answered}WebhookSchema. */
export const EARLIER_CALLBACKS = ['initiated', 'ringing', 'in-progress'] as const;

/** Required by all of them. */
export const CALLBACK_REQUIRES = [
  'AccountSid',
  'CallInitiatedAt',
  'CallSid',
  'CallSidLegacy',
  'CallStatus',
  'From',
  'To',
  'ConnectionId',
  'Timestamp',
  'CallbackSource',
  'SequenceNumber',
] as const;

/** `hangup_cause` of callHangup, which HangupCause of a callback repeats (telnyx-node 7.17.0, b9b12ca). */
export const HANGUP_CAUSES = [
  'call_rejected',
  'normal_clearing',
  'originator_cancel',
  'timeout',
  'time_limit',
  'user_busy',
  'not_found',
  'no_answer',
  'unspecified',
] as const;
