import { Counter, Histogram, type Registry } from 'prom-client';
import { LEAD_RESULTS } from '../../domain/lead.ts';
import type { DialRecord, PollRecord, Recorded, SweepCounts } from '../../store/port.ts';
import type { Commit } from '../../store/sqlite/group-commit.ts';
import type { CallWatch } from './observed.ts';

/** Results that a call can have; the others are those of people who were not called. */
const OF_CALLS = LEAD_RESULTS.filter(
  (result) =>
    !['suppressed', 'expired', 'cancelled', 'rejected', 'invalid_number'].includes(result),
);
/** Why a dial did not become a call. */
const REFUSALS = ['rejected', 'invalid_number', 'refused', 'never_sent', 'not_called'] as const;

/** Counts what happens to calls in this process, since it began. */
export function callMetrics(registry: Registry): CallWatch & { committed(commit: Commit): void } {
  const registers = [registry];
  const started = new Counter({
    registers,
    name: 'callsheet_calls_started_total',
    help: 'Calls begun: the service took the dial, or its answer was lost and it may have.',
  });
  const ended = new Counter({
    registers,
    name: 'callsheet_calls_ended_total',
    help: 'Calls that have ended, by the result that was kept.',
    labelNames: ['result'],
  });
  const refused = new Counter({
    registers,
    name: 'callsheet_dials_refused_total',
    help: 'Dials that became no call: rejected (this number), invalid_number (nobody has it), refused (not now), never_sent, not_called (taken, then ended without ringing).',
    labelNames: ['kind'],
  });
  const polls = new Histogram({
    registers,
    name: 'callsheet_polls_per_call',
    help: 'Requests for the result of a single call until it was kept; calls read in lists or told by webhooks take none.',
    buckets: [0, 1, 2, 3, 5, 8, 13, 21, 50],
  });
  const delay = new Histogram({
    registers,
    name: 'callsheet_call_result_delay_seconds',
    help: 'From when it was noticed that a call had ended to when its result was kept; 0 where both came at once.',
    buckets: [0, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
  });
  const commits = new Histogram({
    registers,
    name: 'callsheet_store_commit_seconds',
    help: 'How long transactions of the database took, waits for the disk and for locks included; one each 10 s only tries whether it could be written.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  });
  const failures = new Counter({
    registers,
    name: 'callsheet_store_commit_failures_total',
    help: 'Transactions of the database that failed.',
  });
  // A series that begins at 0 shows its first increase.
  for (const result of OF_CALLS) ended.inc({ result }, 0);
  for (const kind of REFUSALS) refused.inc({ kind }, 0);

  /** Attempts whose call was counted while its answer was lost. */
  const doubted = new Set<string>();
  /** When it was noticed that a call had ended, epoch ms, by attempt. */
  const endedAt = new Map<string, number>();
  /** By the service's id of the call. */
  const polled = new Map<string, number>();
  const forget = (attemptId: string, callId: string | null) => {
    doubted.delete(attemptId);
    endedAt.delete(attemptId);
    if (callId !== null) polled.delete(callId);
  };

  return {
    committed: ({ ms, failed }) => {
      commits.observe(ms / 1_000);
      if (failed) failures.inc();
    },
    polls: (callId: string) => {
      polled.set(callId, (polled.get(callId) ?? 0) + 1);
    },
    dialled: (attemptId: string, record: DialRecord) => {
      switch (record.kind) {
        case 'placed':
          if (!doubted.delete(attemptId)) started.inc();
          return;
        case 'unknown':
          // A replay decides nothing about the first dial, which was counted.
          if (record.replay !== undefined) return;
          started.inc();
          doubted.add(attemptId);
          return;
        case 'rejected':
          refused.inc({ kind: record.invalidNumber === true ? 'invalid_number' : 'rejected' });
          return;
        case 'released':
          refused.inc({ kind: record.reason === 'never_sent' ? 'never_sent' : 'refused' });
      }
    },
    found: (attemptId: string, record: PollRecord, recorded: Recorded) => {
      if (recorded !== 'moved') return;
      if (record.kind === 'ended') endedAt.set(attemptId, record.at);
      else if (record.kind === 'never_began') {
        ended.inc({ result: 'no_result' });
        forget(attemptId, null);
      } else if (record.kind === 'not_called') {
        refused.inc({ kind: 'not_called' });
        forget(attemptId, record.callId);
      } else if (record.kind === 'settled') {
        ended.inc({ result: record.result });
        polls.observe(polled.get(record.callId) ?? 0);
        delay.observe(Math.max(0, record.at - (endedAt.get(attemptId) ?? record.at)) / 1_000);
        forget(attemptId, record.callId);
      }
    },
    swept: ({ noResult, unconfirmed }: SweepCounts) => {
      ended.inc({ result: 'no_result' }, noResult);
      ended.inc({ result: 'unconfirmed' }, unconfirmed);
    },
  };
}
