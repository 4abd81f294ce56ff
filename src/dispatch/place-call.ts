import { AppError, EXIT, messageOf } from '../runtime/errors.ts';
import type { Notify } from '../runtime/log.ts';
import type { DialRecord, Intent, Recorded } from '../store/port.ts';
import {
  decideReplay,
  type AnswerPolicy,
  type Answered,
  type Judgement,
  type Pause,
} from './answer-policy.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';

/** Only opening the store again may help against these errors: the write is not retried, and the run ends at once. */
const HOPELESS = [
  ...['STORE_IO_FAILED', 'STORE_CORRUPT'],
  ...['STORE_LOCKED_TOO_LONG', 'STORE_AWAY_TOO_LONG'],
];
/** An answer that cannot be written (disk full) is kept in memory, and the write is retried this often ... */
const WRITE_AGAIN_MS = 1_000;
/** ... and at most this many times. Then the error message has the answer, and the attempt will become `unknown`. */
const WRITE_TRIES = 30;

export interface PlaceContext extends DispatcherOptions {
  policy: AnswerPolicy;
  isProven: () => boolean;
  /** Called each time the write of an answer fails: no further dial may be sent. */
  onStoreFailing: (detail: string) => void;
}

/** Sends one claimed dial, judges its answer and records it. Resolves with the judgement once it is durable. */
export async function placeCall(
  intent: Intent,
  permit: () => boolean,
  context: PlaceContext,
): Promise<Answered> {
  const { service, clock, policy, scheduler } = context;
  const { key: attemptKey, phone, agent, variables, person } = intent;
  const dial = {
    attemptKey,
    phone,
    agent,
    ...(variables !== undefined && { variables }),
    ...(person !== undefined && { person }),
  };
  const sentAt = clock.monotonic();
  const answer = await service.startCall(dial, permit);
  const now = clock.now();
  const placed = {
    nextPollAt: now + scheduler.nextIn(intent.attemptId, 0),
    fingerprint: service.fingerprint,
  };
  const judgement =
    intent.replayed === true
      ? decideReplay(answer, now, placed)
      : policy.judge(answer, now, context.isProven(), placed, intent.attemptId);
  const recorded = await recordSurely(intent.attemptId, judgement.record, context);
  const known = recorded === 'conflict' ? contradicted(judgement) : judgement;
  notifyOf(intent, known.record, context.notify);
  return { ...known, tookMs: clock.monotonic() - sentAt };
}

/** Pauses the campaign on the program's own initiative; the next run tests whether the reason still holds. */
export async function pauseCampaign(
  {
    store,
    campaign,
    clock,
    notify,
  }: Pick<DispatcherOptions, 'store' | 'campaign' | 'clock' | 'notify'>,
  pause: Pause,
): Promise<void> {
  await store.changeCampaign(
    campaign.id,
    { pause },
    { at: clock.now(), who: 'callsheet', what: 'campaign.paused', detail: pause },
  );
  notify({ event: 'campaign.paused', ...pause });
}

/** The one error that a run ends with: answers that could not be kept come first, all of them in one message. */
export function asOne(failures: readonly Error[]): unknown {
  const [unkept, ...others] = failures.filter(
    (each): each is AppError => each instanceof AppError && each.code === 'ANSWER_NOT_KEPT',
  );
  if (unkept === undefined || others.length === 0) return unkept ?? failures[0];
  const { code, hint = '', exitCode, cause } = unkept;
  const message = [unkept, ...others].map(messageOf).join('\n');
  return new AppError(code, message, { hint, exitCode, cause });
}

async function recordSurely(
  attemptId: string,
  record: DialRecord,
  { store, clock, onStoreFailing }: PlaceContext,
): Promise<Recorded> {
  for (let tries = 1; ; tries++) {
    try {
      return await store.recordDial(attemptId, record);
    } catch (error) {
      onStoreFailing(messageOf(error));
      if (tries === WRITE_TRIES || isHopeless(error))
        throw notKept(attemptId, record, store.name, error);
      await clock.sleep(WRITE_AGAIN_MS);
    }
  }
}

/**
 * The service answered with a call id that another attempt has: the profile probably reads a field that is not the
 * call's id, and every further dial would end the same way. The store has recorded this attempt as unknown.
 */
function contradicted({ record }: Judgement): Judgement {
  const { at } = record;
  const id = record.kind === 'placed' ? ` ("${record.callId}")` : '';
  const detail = `The service answered with a call id${id} that contradicts what is known of the calls before`;
  return {
    record: { kind: 'unknown', at, detail, answered: true, accepted: true },
    pause: { reason: 'profile', detail },
    health: null,
    backoffMs: null,
  };
}

function isHopeless(error: unknown): error is AppError {
  return error instanceof AppError && HOPELESS.includes(error.code);
}

function notKept(attempt: string, record: DialRecord, database: string, cause: unknown): AppError {
  const what = record.kind === 'placed' ? `it is call "${record.callId}"` : `it was ${record.kind}`;
  return new AppError(
    'ANSWER_NOT_KEPT',
    `The answer of attempt ${attempt} could not be written to ${database} (${messageOf(cause)}): ${what}.`,
    {
      hint: isHopeless(cause)
        ? `Note it. ${cause.hint ?? ''}`
        : 'Note it, make room on the disk, then run again; nobody is called twice for it.',
      exitCode: isHopeless(cause) ? cause.exitCode : EXIT.person,
      cause,
    },
  );
}

function notifyOf(intent: Intent, record: DialRecord, notify: Notify): void {
  const attempt = intent.attemptId;
  if (record.kind === 'placed') notify({ event: 'call.placed', attempt, callId: record.callId });
  // That the call is in doubt was reported when its first answer was lost.
  else if (record.kind === 'unknown' && record.replay !== undefined) {
    notify({ event: 'replay.failed', attempt, detail: record.detail });
  } else notify({ event: `call.${record.kind}`, attempt, detail: record.detail });
}
