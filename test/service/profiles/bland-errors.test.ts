// Every answer to POST /v1/calls that Bland publishes, in the order of "Error Codes Reference" of api-v1/post/calls.mdx
// (repository CINTELLILABS/docs, 1687467, 2026-08-09), and the codes of the plans from CINTELLILABS/bland-plugins
// skills/calls/SKILL.md (18d353a). What stands in brackets there is filled in here.
import { expect, test } from 'vitest';
import { builtIn, dialMeans } from './table.ts';

const BLAND = builtIn('bland');

type Meaning = 'rejected' | 'refused' | 'pause' | 'unknown';

const said = (message: string) => ({ status: 'error', message });
const coded = (error: string, message = '') => ({ data: null, errors: [{ error, message }] });
/** Sentences of one meaning under one status. */
const all = (status: number, meaning: Meaning, ...messages: string[]) =>
  messages.map((message): Row => [status, message, said(message), meaning]);
type Row = [status: number, what: string, body: object, meaning: Meaning];

const PUBLISHED: Row[] = [
  [401, 'AUTH_FAILURE', coded('AUTH_FAILURE', 'Unauthorized'), 'pause'],
  ...all(403, 'pause', 'The Bland Team has flagged your account for security purposes.'),
  ...all(
    429,
    'refused',
    'Calls can only be sent every 10 seconds to the same number. Please try again in a few seconds.',
    'Rate limit exceeded',
    'Rate limit exceeded for newly created accounts. Please try again soon.',
    'International rate limit exceeded for your account type.',
  ),
  ...all(429, 'rejected', 'This number is blacklisted.'),
  [
    400,
    'a missing parameter',
    {
      status: 'error',
      message: 'Invalid parameters. Error: ["Missing required parameter: phone_number."]',
      errors: ['Missing required parameter: phone_number.'],
    },
    'pause',
  ],
  [
    400,
    'a list of mistakes',
    {
      status: 'error',
      message: 'Invalid parameters',
      errors: ['Missing required parameter: task.', 'Phone number must be a string or number.'],
    },
    'pause',
  ],
  ...all(
    400,
    'pause',
    'Task must be a string',
    'Record must be a boolean',
    'Max duration must be a number',
    'Temperature must be a number',
    'Tools must be an array',
    'Dynamic data must be an array',
    'Metadata must be a record of string keys and any values',
    'Invalid voicemail action. Must be one of: hangup, leave_message, ignore',
    'Max duration must be at least 1',
    'Precall DTMF sequence must be a valid DTMF sequence',
    'Start time must be a valid date-time format',
    'Webhook must be a valid URI',
    'Invalid from number format',
    'Invalid transfer phone number format',
    'Invalid phone number format in transfer list',
    'Additional properties are not allowed',
  ),
  ...all(
    400,
    'rejected',
    'Invalid phone number. Please include a country code if outside the US.',
    'Invalid phone number. `+1234567890123456789` has these validation errors: TOO_LONG',
  ),
  [400, 'Invalid phone number format', { error: 'Invalid phone number format' }, 'rejected'],
  ...all(
    400,
    'pause',
    'Invalid transfer_phone_number.',
    'Invalid language code',
    'Invalid pronunciation guide type.',
    'Precall DTMF sequence is not supported for this platform.',
    "Invalid 'from' - must be a phone number string with 10 or 12 digits.",
  ),
  [
    400,
    'a number of the Do Not Call list',
    {
      status: 'DNC Error',
      message:
        'Number found in DNC list. You cannot dial sensitive numbers. More attempts will result in being blocked.',
    },
    'rejected',
  ],
  ...all(400, 'pause', 'Transfer list must be an object.', 'Invalid transfer phone number.'),
  // Only for the person whose number it is.
  ...all(400, 'rejected', 'Transfer phone number cannot be the same as the phone number.'),
  ...all(
    400,
    'pause',
    'Retry must be an object.',
    'version_number must be a number.',
    "pathway_version needs to either be a number, or a string of 'production' or 'staging'.",
    'version_number must be a number or string.',
    'Invalid from phone number.',
    'wait_for_greeting must be a boolean.',
    'First sentence must be a string. type: number',
    'Voicemail message must be a string. type: number',
    'voicemail_sms must be an object. type: string',
    'voicemail_sms.message must be a string. type: number',
    'voicemail_sms.from must be a string. type: number',
    'interruption_threshold must be a number.',
    'webhook must be a string that starts with https://.',
    'request_data must be an object.',
    'metadata must be an object.',
    'Voice must be a string.',
    'Invalid voicemail_action. Options are: hangup, leave_message, ignore.',
    'Keywords must be an array of strings.',
    'Keywords must be strings.',
    'Keywords each must be less than 100 characters: Blandy',
    "Keywords must be in the format 'string' or 'string:number'.",
    'Keyword boosts with a colon must have a valid integer for the boost rate.',
    'At most 20 keywords can be added.',
    'Timezone must be a string.',
    'Invalid timezone: Mars/Olympus',
    'Summary prompt must be a string.',
    'Summary prompt must be less than 2000 characters.',
    'start_time must be a string.',
    'Invalid start_time.',
    'Calls must be scheduled at least 5 minutes in advance, or more',
    'background_track must be a string.',
    'Invalid background_track option. Options are: office, cafe.',
    'max_duration must be a number.',
    'max_duration must be a positive number.',
    'max_duration must be at most 12 hours.',
    'Unable to parse dynamic data/tools.',
    'Invalid tools: no such tool',
    'Invalid dynamic data: no url',
    'Invalid pathway data - no blocks or links found for pathway 12345678',
    'Invalid pathway data',
    'Invalid start node ID: 1',
    'Flagged Node: some words',
  ),
  ...all(
    400,
    'rejected',
    'Cannot dial sensitive numbers. More attempts will result in being blocked.',
  ),
  // Saving failed; that it was queued before is not ruled out.
  ...all(400, 'unknown', 'Unable to save request body.'),
  ...all(400, 'refused', 'Unable to queue call.'),
  ...all(
    400,
    'pause',
    'Parent call has completed or does not exist. Warm Transfer Request Cancelled',
    'Call parameters must be an object.',
  ),
  ...all(402, 'pause', 'No billing record found.', 'Insufficient balance.'),
  ...all(
    404,
    'pause',
    'Pathway with ID "12345678" not found',
    'Pathway version with ID "7" not found',
  ),
  [
    418,
    'OBJECTIVE_VALIDATION_ERROR',
    { error: 'OBJECTIVE_VALIDATION_ERROR', details: 'Custom validation response' },
    'pause',
  ],
  ...all(
    500,
    'unknown',
    'Error in creating Twilio connection.',
    'Error triggering call. Please check your twilio account for errors',
    'Internal server error during flagging process',
    'Error in getting BYOT Number',
    'Error in getting dialer data from encrypted key',
    'Error in fetching user data',
    'Error in fetching parent user data',
    'Retry attempt not provided for retry call: 12345678',
  ),
  ...all(500, 'pause', 'Invalid `encrypted_key`. Please use the correct key for your account.'),
  // The plans: a limit passes, a country that is not in the plan does not, and money can be paid.
  [429, 'CALL_RL_PLAN_CONCURRENCY', coded('CALL_RL_PLAN_CONCURRENCY'), 'refused'],
  [429, 'CALL_RL_PLAN_DAILY_MINUTES', coded('CALL_RL_PLAN_DAILY_MINUTES'), 'refused'],
  [429, 'CALL_PLAN_DESTINATION_BLOCKED', coded('CALL_PLAN_DESTINATION_BLOCKED'), 'rejected'],
  [429, 'CALL_PLAN_TRANSFER_BLOCKED', coded('CALL_PLAN_TRANSFER_BLOCKED'), 'pause'],
  [429, 'CALL_UNPAID_INTL_BLOCK', coded('CALL_UNPAID_INTL_BLOCK'), 'pause'],
];

test.each(PUBLISHED)(
  'what Bland answers a dial with means what its documentation says: %i %s',
  async (status, _what, body, meaning) => {
    expect(await dialMeans(BLAND, status, body)).toBe(meaning);
  },
);
