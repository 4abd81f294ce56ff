import type { PauseReason } from '../domain/campaign.ts';
import type { PollScheduler } from '../domain/polling/poll-scheduler.ts';
import type { Clock } from '../runtime/clock.ts';
import { AppError, EXIT, messageOf } from '../runtime/errors.ts';
import type { Notify } from '../runtime/notice.ts';
import type { VoiceService } from '../service/port.ts';
import type { Campaign, DialRecord, Intent, Recorded, Store } from '../store/port.ts';
import { decideReplay } from './decide-replay.ts';
import type { AnswerPolicy, Judgement } from './answer-policy.ts';

/** Opening the store again may mend these, writing again does not: the run leaves at once. */
const HOPELESS = ['STORE_IO_FAILED', 'STORE_CORRUPT', 'STORE_LOCKED_TOO_LONG'];
/** An answer that cannot be written (disk full) is kept in memory and written again this often ... */
const WRITE_AGAIN_MS = 1_000;
/** ... so many times; after that the message tells it, and the intent's row that it is not known. */
const WRITE_TRIES = 30;

export interface PlaceContext {
  store: Store;
  service: VoiceService;
  campaign: Campaign;
  clock: Clock;
  judge: AnswerPolicy;
  plan: PollScheduler;
  notify: Notify;
  isProven: () => boolean;
  /** Called whenever an answer cannot be written: no further dial may be sent. */
  onStoreFailing: (detail: string) => void;
}

/** Sends one claimed dial, judges its answer and records it. The judgement comes back once it is durable. */
export async function placeCall(
  intent: Intent,
  permit: () => boolean,
  context: PlaceContext,
): Promise<Judgement> {
  const { service, clock, judge, plan } = context;
  const { key: attemptKey, phone, agent, variables, person } = intent;
  const dial = {
    ...{ attemptKey, phone, agent },
    ...(variables !== undefined && { variables }),
    ...(person !== undefined && { person }),
  };
  const answer = await service.startCall(dial, permit);
  const now = clock.now();
  const placed = {
    nextPollAt: now + plan.nextIn(intent.attemptId, 0),
    fingerprint: service.fingerprint,
  };
  const judgement =
    intent.replayed === true
      ? decideReplay(answer, now, placed)
      : judge.judge(answer, now, context.isProven(), placed, intent.attemptId);
  const recorded = await recordSurely(intent.attemptId, judgement.record, context);
  const known = recorded === 'conflict' ? contradicted(judgement) : judgement;
  tell(intent, known.record, context.notify);
  return known;
}

/** The program's own pause: kept with its reason, tested again by the next run. */
export async function pauseCampaign(
  context: Pick<PlaceContext, 'store' | 'campaign' | 'clock' | 'notify'>,
  pause: { reason: PauseReason; detail: string },
): Promise<void> {
  const { store, campaign, clock, notify } = context;
  await store.changeCampaign(
    campaign.id,
    { pause },
    { at: clock.now(), who: 'callsheet', what: 'campaign.paused', detail: pause },
  );
  notify({ event: 'campaign.paused', ...pause });
}

/** What a run ends with: every answer that was not kept is told, and first of all those. */
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
        throw notKept(attemptId, record, store.location, error);
      await clock.sleep(WRITE_AGAIN_MS);
    }
  }
}

/**
 * The service gave a call id that another attempt has: the profile reads a field that is not the call's
 * own, and every further call would be lost the same way. The store keeps this one as unknown.
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

function notKept(attempt: string, record: DialRecord, location: string, cause: unknown): AppError {
  const what = record.kind === 'placed' ? `it is call "${record.callId}"` : `it was ${record.kind}`;
  return new AppError(
    'ANSWER_NOT_KEPT',
    `The answer of attempt ${attempt} could not be written to ${location} (${messageOf(cause)}): ${what}.`,
    {
      hint: isHopeless(cause)
        ? `Note it. ${cause.hint ?? ''}`
        : 'Note it, make room on the disk, then run again; nobody is called twice for it.',
      exitCode: isHopeless(cause) ? cause.exitCode : EXIT.person,
      cause,
    },
  );
}

function tell(intent: Intent, record: DialRecord, notify: Notify): void {
  const attempt = intent.attemptId;
  if (record.kind === 'placed') notify({ event: 'call.placed', attempt, callId: record.callId });
  // It was told when its first answer was lost.
  else if (record.kind === 'unknown' && record.replay !== undefined) {
    notify({ event: 'repeat.failed', attempt, detail: record.detail });
  } else notify({ event: `call.${record.kind}`, attempt, detail: record.detail });
}
