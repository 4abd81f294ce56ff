import { shortHash } from '../../runtime/random.ts';
import type { AgentRecord } from '../account.ts';
import { analyticsOf, capturedLead, converse, type TellingOptions } from '../calls/conversation.ts';
import { drawFault, WEBHOOK_FAULTS, type FaultDraw, type WebhookFault } from '../wire/faults.ts';
import type { SimulatorOptions, Wishes } from '../options.ts';
import type { CallRecord, Spans } from '../calls/timeline.ts';

export const EVENT_TYPES = ['call.finished', 'lead.captured'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A webhook event. All its values are set when its call is placed. Times are epoch ms. */
export interface EventRecord {
  /** `evt_...`, the same in every retry. */
  id: string;
  callId: string;
  type: EventType;
  happenedAt: number;
  /** Not sent before this time. */
  dueAt: number;
  fault: WebhookFault | null;
  /** How often the event is delivered and acknowledged: more than once for `webhook-repeat`. */
  times: number;
}

type Drawing = Pick<SimulatorOptions, 'seed' | 'faults'>;

/** The fault of this event, for the `ordinal`th ring of the phone; the same in every run with the same seed. */
export function eventFaultOf(
  options: Drawing,
  phone: string,
  ordinal: number,
  type: EventType,
): FaultDraw<WebhookFault> | undefined {
  const names = type === 'call.finished' ? WEBHOOK_FAULTS : FAULTS_OF_LEADS;
  return drawFault(names, options, `webhook/${phone}/${ordinal}/${type}`);
}

/** Without `webhook-early`, because whether a captured lead is early depends on its call. */
const FAULTS_OF_LEADS = WEBHOOK_FAULTS.filter((name) => name !== 'webhook-early');

/** The times of a call that ends in the moment it is placed, so that its event can arrive before the dial's answer. */
export function inNoTime(spans: Spans): Spans {
  const { placedAt, durationS } = spans;
  const answeredAt = spans.answeredAt === null ? null : placedAt;
  return { placedAt, answeredAt, endedAt: placedAt, readyAt: placedAt, durationS };
}

/** The events of a call: first the captured lead, if any, then the end of the call. */
export function planEvents(
  call: CallRecord,
  agent: AgentRecord,
  ordinal: number,
  options: Drawing & TellingOptions,
): EventRecord[] {
  const plan = (type: EventType, happenedAt: number): EventRecord => {
    const fault = eventFaultOf(options, call.phone, ordinal, type);
    const id = `evt_${shortHash([call.id, type], 24)}`;
    return { id, callId: call.id, type, happenedAt, ...delivery(call, happenedAt, fault, options) };
  };
  const lead = leadOf(call, agent, options);
  const events = lead === null ? [] : [plan('lead.captured', lead.at)];
  // A call that the service never reports as completed has no event for its end either.
  const isSilent = options.unanswered === 'never' && call.answeredAt === null;
  return isSilent ? events : [...events, plan('call.finished', call.readyAt)];
}

/** The body of an event; the same bytes in every retry. */
export function eventBody(
  { id, type, happenedAt }: EventRecord,
  call: CallRecord,
  agent: AgentRecord,
  options: TellingOptions,
): string {
  const of =
    type === 'call.finished'
      ? analyticsOf(call, agent, options)
      : {
          call_id: call.id,
          agent_id: call.agentId,
          phone_number: call.phone,
          status: 'in_progress',
          ended_at: null,
          lead: leadOf(call, agent, options)?.fields ?? {},
        };
  const data = { ...of, idempotency_key: call.attemptKey };
  return JSON.stringify({ type, id, timestamp: new Date(happenedAt).toISOString(), data });
}

function leadOf(call: CallRecord, agent: AgentRecord, wishes: Wishes) {
  // Most calls are not answered, and need no conversation.
  if (call.answeredAt === null) return null;
  return capturedLead(call, converse(call, agent, wishes).sentiment);
}

/** Minimum and maximum delay, in seconds. */
const LATE = [300, 3_600] as const;
const HELD_BACK = [10, 120] as const;

function delivery(
  { readyAt }: CallRecord,
  happenedAt: number,
  draw: FaultDraw<WebhookFault> | undefined,
  { timeScale }: Pick<SimulatorOptions, 'timeScale'>,
): Pick<EventRecord, 'dueAt' | 'fault' | 'times'> {
  if (draw === undefined) return { dueAt: happenedAt, fault: null, times: 1 };
  const { name: fault, degree } = draw;
  const after = ([min, max]: readonly [number, number]) =>
    Math.round(((min + degree * (max - min)) * 1_000) / timeScale);
  const times = fault === 'webhook-repeat' ? 2 + Math.round(degree) : 1;
  if (fault === 'webhook-late') return { dueAt: happenedAt + after(LATE), fault, times };
  // This delay makes a captured lead arrive after the end of its call, and the end of a call after those of later
  // calls.
  if (fault === 'webhook-reorder') return { dueAt: readyAt + after(HELD_BACK), fault, times };
  return { dueAt: happenedAt, fault, times };
}
