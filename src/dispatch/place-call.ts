import type { PauseReason } from '../domain/campaign.ts';
import { nextLookIn } from '../domain/poll-plan.ts';
import type { Clock } from '../runtime/clock.ts';
import { messageOf } from '../runtime/errors.ts';
import type { Notify } from '../runtime/notice.ts';
import type { VoiceService } from '../service/port.ts';
import type { Campaign, DialRecord, Intent, Store } from '../store/port.ts';
import type { Judge, Judgement } from './judge.ts';

/** An answer that cannot be written (disk full, database locked) is kept in memory and written again this often ... */
const WRITE_AGAIN_MS = 1_000;
/** ... so many times; after that the intent's row tells that the answer is not known. */
const WRITE_TRIES = 30;

export interface PlaceContext {
  store: Store;
  service: VoiceService;
  campaign: Campaign;
  clock: Clock;
  judge: Judge;
  notify: Notify;
  isProven: () => boolean;
  /** Called when answers cannot be written: no further dial may be sent. */
  onStoreFailing: (detail: string) => void;
}

/** Sends one claimed dial, judges its answer and records it. The judgement comes back once it is durable. */
export async function placeCall(
  intent: Intent,
  permit: () => boolean,
  context: PlaceContext,
): Promise<Judgement> {
  const { service, campaign, clock, judge } = context;
  const answer = await service.startCall(
    { attemptKey: intent.key, phone: intent.phone, agent: intent.agent },
    permit,
  );
  const now = clock.now();
  const judgement = judge.judge(answer, now, context.isProven(), {
    nextLookAt: now + nextLookIn(0, campaign.settings.polling),
    fingerprint: service.fingerprint,
  });
  await recordSurely(intent.attemptId, judgement.record, context);
  tell(intent, judgement.record, context.notify);
  return judgement;
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

async function recordSurely(
  attemptId: string,
  record: DialRecord,
  { store, clock, onStoreFailing }: PlaceContext,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await store.recordDial(attemptId, record);
      return;
    } catch (error) {
      onStoreFailing(messageOf(error));
      if (tries === WRITE_TRIES) throw error;
      await clock.sleep(WRITE_AGAIN_MS);
    }
  }
}

function tell(intent: Intent, record: DialRecord, notify: Notify): void {
  const attempt = intent.attemptId;
  if (record.kind === 'placed') notify({ event: 'call.placed', attempt, callId: record.callId });
  else notify({ event: `call.${record.kind}`, attempt, detail: record.detail });
}
