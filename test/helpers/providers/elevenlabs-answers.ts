// What ElevenLabs says of a conversation. Sources as in elevenlabs.ts.
import { hexId } from './book.ts';
import type { Phase, ProviderCall, ProviderOutcome } from './provider.ts';

const AGENT_NUMBER = '+12125550199';

export function isReached({ outcome }: ProviderCall): boolean {
  return outcome === 'answered' || outcome === 'voicemail';
}

function statusOf(call: ProviderCall, phase: Phase): string {
  if (phase === 'queued' || phase === 'ringing' || !isReached(call)) return 'initiated';
  if (phase === 'in_progress') return 'in-progress';
  return phase === 'ended' ? 'processing' : 'done';
}

const FAILURE_REASON: Partial<Record<ProviderOutcome, string>> = {
  no_answer: 'no-answer',
  busy: 'busy',
};

/** `metadata.body` is what the telephony provider said: of Twilio its StatusCallback. */
export function initiationFailure(call: ProviderCall) {
  return {
    agent_id: call.agentId,
    conversation_id: call.callId,
    failure_reason: FAILURE_REASON[call.outcome] ?? 'unknown',
    metadata: {
      type: 'twilio',
      body: {
        CallSid: sidOf(call),
        CallStatus: FAILURE_REASON[call.outcome] ?? 'failed',
        CallDuration: '0',
        Direction: 'outbound-api',
        From: AGENT_NUMBER,
        To: call.phone,
      },
    },
  };
}

export function sidOf(call: ProviderCall): string {
  return `CA${hexId('elevenlabs sid', call.ordinal)}`;
}

function startOf(call: ProviderCall): number {
  return Math.floor((call.answeredAt ?? call.placedAt) / 1_000);
}

function successOf(call: ProviderCall): string {
  return call.outcome === 'answered' ? 'success' : 'failure';
}

const LABELS = ['positive', 'neutral', 'negative'];

/** A sentiment stands here only, and not in what a conversation is read as. */
export function listed(call: ProviderCall, phase: Phase) {
  const isSettled = phase === 'settled' && isReached(call);
  const analysed = isSettled && call.answeredAt !== null;
  const label = LABELS[call.ordinal % LABELS.length];
  return {
    agent_id: call.agentId,
    conversation_id: call.callId,
    start_time_unix_secs: startOf(call),
    call_duration_secs: isSettled ? call.durationS : 0,
    message_count: isSettled ? call.turns.length : 0,
    status: statusOf(call, phase),
    call_successful: isSettled ? successOf(call) : 'unknown',
    direction: 'outbound',
    transcript_summary: isSettled ? call.summary : null,
    sentiment_analysis: analysed ? { overall_label: label, scores: {} } : null,
  };
}

export function conversation(call: ProviderCall, phase: Phase) {
  const isOver = phase === 'settled' || phase === 'ended';
  const isSettled = phase === 'settled' && isReached(call);
  const transcript = call.turns.map(({ role, text: message }, index) => ({
    role: role === 'agent' ? 'agent' : 'user',
    message,
    time_in_call_secs: index * 3,
    tool_calls: [],
  }));
  return {
    agent_id: call.agentId,
    conversation_id: call.callId,
    status: statusOf(call, phase),
    user_id: call.metadata['user_id'] ?? null,
    transcript: isSettled ? transcript : [],
    metadata: {
      start_time_unix_secs: startOf(call),
      call_duration_secs: isSettled ? call.durationS : 0,
      cost: isSettled && call.costUsd !== null ? Math.round(call.costUsd * 5_000) : null,
      cost_fiat: isSettled ? call.costUsd : null,
      termination_reason: isSettled ? reasonOf(call) : '',
      error: null,
      phone_call: {
        type: 'twilio',
        direction: 'outbound',
        phone_number_id: call.from,
        agent_number: AGENT_NUMBER,
        external_number: call.phone,
        stream_sid: isReached(call) ? `MZ${hexId('elevenlabs stream', call.ordinal)}` : '',
        call_sid: sidOf(call),
        ...(isOver ? { call_result: call.outcome } : {}),
      },
      features_usage: {
        voicemail_detection: { enabled: true, used: isSettled && call.outcome === 'voicemail' },
      },
    },
    analysis: isSettled
      ? {
          call_successful: successOf(call),
          transcript_summary: call.summary ?? '',
          data_collection_results: {},
          evaluation_criteria_results: {},
        }
      : null,
    conversation_initiation_client_data: { dynamic_variables: call.variables },
    has_audio: isSettled && call.durationS > 0,
    has_user_audio: isSettled && call.outcome === 'answered',
    has_response_audio: isSettled,
    has_auxiliary_audio: false,
  };
}

function reasonOf({ outcome }: ProviderCall): string {
  return outcome === 'voicemail'
    ? 'voicemail_detection tool was called.'
    : 'Client disconnected: 1000';
}
