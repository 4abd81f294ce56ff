// The part of Twilio's published API that callsheet speaks, as JSON Schema. Source: twilio/twilio-oai
// spec/json/twilio_api_v2010.json (d50069b, 2026-04-14), paths /2010-04-01/Accounts/{AccountSid}/{Calls,Applications}.json.
// The values of `answered_by`: twilio.com/docs/voice/answering-machine-detection. Read 2026-11-22.
//
// A form and a query carry text: numbers and flags of the document are patterns here. Stricter than the document in one
// thing: names that it does not know are refused (Twilio has a code for them: 20001, "Unknown parameters").

const text = { type: 'string' };
const uri = { type: 'string', format: 'uri' };
const verb = { type: 'string', enum: ['GET', 'POST'] };
const count = { type: 'string', pattern: '^\\d+$' };
const flag = { type: 'string', enum: ['true', 'false'] };
const time = { type: 'string', format: 'date-time' };
const sid = (letters: string) => ({ type: 'string', pattern: `^${letters}[0-9a-fA-F]{32}$` });
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const textOrNull = { type: ['string', 'null'] };
/** PageSize of the document: 1 to 1000. */
const pageSize = { type: 'string', pattern: '^([1-9]\\d{0,2}|1000)$' };
const paging = { PageSize: pageSize, Page: count, PageToken: text };

/** `POST Calls.json`: the fields of its form. */
export const CREATE_CALL = {
  body: {
    type: 'object',
    required: ['To', 'From'],
    additionalProperties: false,
    properties: {
      To: text,
      From: text,
      Method: verb,
      FallbackUrl: uri,
      FallbackMethod: verb,
      StatusCallback: uri,
      StatusCallbackEvent: text,
      StatusCallbackMethod: verb,
      SendDigits: text,
      Timeout: count,
      Record: flag,
      RecordingChannels: text,
      RecordingStatusCallback: text,
      RecordingStatusCallbackMethod: verb,
      RecordingStatusCallbackEvent: text,
      RecordingTrack: text,
      SipAuthUsername: text,
      SipAuthPassword: text,
      MachineDetection: { type: 'string', enum: ['Enable', 'DetectMessageEnd'] },
      MachineDetectionTimeout: count,
      MachineDetectionSpeechThreshold: count,
      MachineDetectionSpeechEndThreshold: count,
      MachineDetectionSilenceTimeout: count,
      AsyncAmd: text,
      AsyncAmdStatusCallback: uri,
      AsyncAmdStatusCallbackMethod: verb,
      Trim: text,
      CallerId: text,
      Byoc: sid('BY'),
      CallReason: text,
      CallToken: text,
      TimeLimit: count,
      ClientNotificationUrl: uri,
      Url: uri,
      Twiml: text,
      ApplicationSid: sid('AP'),
    },
  },
};

/** `call_enum_status` */
export const CALL_STATUSES = [
  ...['queued', 'ringing', 'in-progress', 'completed'],
  ...['busy', 'failed', 'no-answer', 'canceled'],
];

/** What `answered_by` may be; the document says but "human or machine". */
export const ANSWERED_BY = [
  ...['human', 'machine_start', 'machine_end_beep', 'machine_end_silence', 'machine_end_other'],
  ...['fax', 'unknown'],
];

/** `GET Calls.json` */
export const LIST_CALLS = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...paging,
      To: text,
      From: text,
      ParentCallSid: sid('CA'),
      Status: { type: 'string', enum: CALL_STATUSES },
      StartTime: time,
      'StartTime<': time,
      'StartTime>': time,
      EndTime: time,
      'EndTime<': time,
      'EndTime>': time,
    },
  },
};

/** `GET Applications.json` */
export const LIST_APPLICATIONS = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: { ...paging, FriendlyName: text },
  },
};

/** `GET Calls/{Sid}.json` */
export const READ_CALL = {
  querystring: { type: 'object', additionalProperties: false, properties: {} },
};

/** `api.v2010.account.call`; the document requires nothing, and has null where there is nothing. */
export const CALL = {
  type: 'object',
  required: ['sid', 'status', 'to', 'from', 'duration', 'price', 'answered_by', 'end_time'],
  properties: {
    sid: orNull(sid('CA')),
    account_sid: orNull(sid('AC')),
    to: textOrNull,
    from: textOrNull,
    status: { type: 'string', enum: CALL_STATUSES },
    direction: textOrNull,
    date_created: textOrNull,
    start_time: textOrNull,
    end_time: textOrNull,
    duration: textOrNull,
    price: textOrNull,
    price_unit: textOrNull,
    answered_by: orNull({ type: 'string', enum: ANSWERED_BY }),
    queue_time: textOrNull,
    api_version: textOrNull,
    uri: textOrNull,
  },
};

const whole = { type: 'integer' };
const page = {
  end: whole,
  page: whole,
  page_size: whole,
  start: whole,
  first_page_uri: text,
  next_page_uri: textOrNull,
  previous_page_uri: textOrNull,
  uri: text,
};

/** The answer of `GET Calls.json` */
export const CALLS = {
  type: 'object',
  required: ['calls', 'next_page_uri'],
  properties: { ...page, calls: { type: 'array', items: CALL } },
};

/** The answer of `GET Applications.json`, with `api.v2010.account.application`. */
export const APPLICATIONS = {
  type: 'object',
  required: ['applications', 'next_page_uri'],
  properties: {
    ...page,
    applications: {
      type: 'array',
      items: {
        type: 'object',
        required: ['sid', 'friendly_name', 'voice_url'],
        properties: { sid: sid('AP'), friendly_name: textOrNull, voice_url: orNull(uri) },
      },
    },
  },
};
