import { endOf, iso, uuid } from './book.ts';
import type { Fields } from './http.ts';
import type { Phase, ProviderCall, ProviderOutcome } from './provider.ts';

/** A call as Vapi's published schema `Call` has it, at one time of its life. */

export const ORG = uuid('vapi org', 0);

export function callOnWire(call: ProviderCall, phase: Phase): Fields {
  const { externalId, name, ...metadata } = call.metadata;
  const isOver = phase === 'ended' || phase === 'settled';
  const base = {
    id: call.callId,
    orgId: ORG,
    type: 'outboundPhoneCall',
    createdAt: iso(call.placedAt),
    updatedAt: iso(isOver ? call.endedAt : call.placedAt),
    status: statusOf(call, phase),
    assistantId: call.agentId,
    phoneNumberId: call.from,
    customer: { number: call.phone, ...(externalId === undefined ? {} : { externalId }) },
    ...(name === undefined ? {} : { name }),
    assistantOverrides: { variableValues: call.variables, metadata },
    phoneCallProvider: 'twilio',
    phoneCallTransport: 'pstn',
  };
  if (!isOver) return base;
  // The duration is to be had from these two only.
  const talked = call.answeredAt === null ? {} : { startedAt: iso(call.answeredAt) };
  const ended = { ...base, endedReason: reasonOf(call), ...talked, endedAt: iso(endOf(call)) };
  if (phase === 'ended' || !call.rang) return ended;
  const { costUsd: total } = call;
  return {
    ...ended,
    ...(total === null ? {} : { cost: total, costBreakdown: { total } }),
    artifact: artifactOf(call),
    analysis:
      call.summary === null
        ? { successEvaluation: 'false' }
        : { summary: call.summary, successEvaluation: 'true' },
  };
}

/** Reasons of a conversation are of many kinds: who ends it, a transfer, an error after the last word. */
const REASONS: Record<ProviderOutcome, readonly string[]> = {
  answered: [
    'customer-ended-call',
    'assistant-ended-call',
    'silence-timed-out',
    'exceeded-max-duration',
    'assistant-forwarded-call',
    'call.in-progress.error-transfer-failed',
    'call.forwarding.operator-busy',
    'pipeline-error-openai-500-server-error',
    'call.in-progress.error-vapifault-worker-died',
    'call.in-progress.error-providerfault-outbound-sip-480-temporarily-unavailable',
    'worker-shutdown',
  ],
  voicemail: ['voicemail'],
  no_answer: [
    'customer-did-not-answer',
    'silence-timed-out',
    'call.in-progress.error-providerfault-outbound-sip-480-temporarily-unavailable',
  ],
  busy: ['customer-busy'],
  failed: [
    'twilio-failed-to-connect-call',
    'vonage-rejected',
    'manually-canceled',
    'call.in-progress.error-vapifault-worker-not-available',
    'pipeline-error-eleven-labs-quota-exceeded',
  ],
};

const TROUBLES = {
  ended_full: 'call.start.error-subscription-concurrency-limit-reached',
  ended_unpaid: 'call.start.error-subscription-insufficient-credits',
};

function reasonOf({ outcome, ordinal, trouble }: ProviderCall): string {
  if (trouble !== null) return TROUBLES[trouble];
  const reasons = REASONS[outcome];
  return reasons[ordinal % reasons.length] ?? '';
}

const STATUS: Record<Phase, string> = {
  queued: 'queued',
  ringing: 'ringing',
  in_progress: 'in-progress',
  ended: 'ended',
  settled: 'ended',
};

function statusOf(call: ProviderCall, phase: Phase): string {
  if (phase === 'ringing' && !call.rang) return 'queued';
  const isPassedOn = reasonOf(call) === 'assistant-forwarded-call';
  return phase === 'in_progress' && isPassedOn ? 'forwarding' : STATUS[phase];
}

/** The prompt comes first, and what the assistant looked up stands between what was said. */
function artifactOf(call: ProviderCall): Fields {
  const at = (secondsFromStart: number) => ({
    time: call.placedAt + secondsFromStart * 1_000,
    secondsFromStart,
  });
  const said = call.turns.map(({ role, text: message }, index) => ({
    role: role === 'agent' ? 'bot' : 'user',
    message,
    ...at(index * 3),
    endTime: call.placedAt + index * 3_000 + 2_000,
  }));
  const toolCalls = [{ id: 'tool_1', type: 'function', function: { name: 'openHours' } }];
  const lookedUp = [
    { role: 'tool_calls', toolCalls, message: '', ...at(1) },
    { role: 'tool_call_result', toolCallId: 'tool_1', name: 'openHours', result: '9-17', ...at(2) },
  ];
  const prompt = { role: 'system', message: PROMPT, ...at(0) };
  const messages = [prompt, ...said.slice(0, 1), ...(said.length > 2 ? lookedUp : [])];
  return {
    messages: [...messages, ...said.slice(1)],
    messagesOpenAIFormatted: [{ role: 'system', content: PROMPT }],
    transcript: call.turns
      .map(({ role, text }) => `${role === 'agent' ? 'AI' : 'User'}: ${text}\n`)
      .join(''),
    recordingUrl: `https://storage.example.com/${call.callId}-mono.wav`,
  };
}

const PROMPT = 'You are a friendly assistant of the example bakery. Never say that you are one.';
