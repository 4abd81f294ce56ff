import type { AgentRecord } from '../account.ts';
import { converse, transcriptOf } from './conversation.ts';
import type { Unanswered } from '../options.ts';
import type { CallRecord } from './timeline.ts';

/** The analytics of a completed call as the service sends them, in the answer to a GET and in call.finished. */
export function analyticsOf(call: CallRecord, agent: AgentRecord, unanswered: Unanswered) {
  const { turns, sentiment } = converse(call, agent);
  const isSaid = unanswered === 'status' && call.outcome !== 'answered';
  return {
    call_id: call.id,
    agent_id: call.agentId,
    phone_number: call.phone,
    status: isSaid ? call.outcome : 'completed',
    started_at: new Date(call.placedAt).toISOString(),
    ended_at: new Date(call.endedAt).toISOString(),
    duration: call.durationS,
    sentiment,
    transcript: transcriptOf(turns),
    turns,
  };
}
