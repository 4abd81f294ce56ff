import type { Database } from 'better-sqlite3';
import { LONGEST_POSTPONED_MS } from '../../../domain/polling/poll-schedule.ts';
import type { CampaignSettings } from '../../../domain/campaign.ts';
import type { PollRecord, Recorded } from '../../port.ts';
import { attemptId, type AttemptRow } from '../tables/attempt-rows.ts';
import type { AttemptTable } from '../tables/attempts.ts';
import type { CampaignTable } from '../tables/campaigns.ts';
import type { RefusalTable } from '../tables/refusals.ts';
import type { ServiceBackoffTable } from '../tables/service-backoffs.ts';

/** A service that ended a call it had taken without ringing gets no dial for so long. */
const BACKOFF_MS = 2_000;

/** Calls that the service has taken and that have not rung: ended without ringing, or put off by the service itself. */
export function unrungCalls(
  db: Database,
  {
    attempts,
    campaigns,
    backoffs,
    refusals,
  }: {
    attempts: AttemptTable;
    campaigns: CampaignTable;
    backoffs: ServiceBackoffTable;
    refusals: RefusalTable;
  },
) {
  const updateBegins = db.prepare<
    [{ seq: number; beginsAt: number; until: number; farthest: number }]
  >(
    `UPDATE attempts SET begins_at = @beginsAt, holds_until = max(holds_until, @until),
       slot_until = iif(slot_until IS NULL, NULL, max(slot_until, @until))
     WHERE seq = @seq AND state IN ('placed', 'ended') AND @beginsAt <= intent_at + @farthest`,
  );

  return {
    /** It will begin later: its slot, the longest call and the deadline count from then. */
    putOff: ({ seq, campaign_id }: AttemptRow, beginsAt: number): void => {
      const { settings } = campaigns.get(campaign_id);
      const { longestCallMs } = JSON.parse(settings) as CampaignSettings;
      const until = beginsAt + longestCallMs;
      updateBegins.run({ seq, beginsAt, until, farthest: LONGEST_POSTPONED_MS });
    },
    /** It was ended without ringing: the lead waits again, and the campaign pauses where no other dial would fare better. */
    notCalled: (
      attempt: AttemptRow,
      poll: Extract<PollRecord, { kind: 'not_called' }>,
    ): Recorded => {
      const { at, callId, detail, notBefore, pause } = poll;
      const facts = { at, detail, notBefore, wasTaken: true };
      const recorded = attempts.apply(attempt, { type: 'not_called', callId }, facts);
      if (recorded !== 'moved') return recorded;
      if (pause) pauseCampaign(attempt, at, detail);
      else {
        backoffs.begin(attempt.service, at, BACKOFF_MS);
        refusals.add(attempt, poll);
      }
      return recorded;
    },
  };

  function pauseCampaign({ seq, campaign_id: id }: AttemptRow, at: number, detail: string): void {
    if (campaigns.get(id).state !== 'running') return;
    const pause = { reason: 'profile', detail } as const;
    const entry = { ...pause, attempt: attemptId(seq) };
    campaigns.change(
      id,
      { pause },
      { at, who: 'callsheet', what: 'campaign.paused', detail: entry },
    );
  }
}

export type UnrungCalls = ReturnType<typeof unrungCalls>;
