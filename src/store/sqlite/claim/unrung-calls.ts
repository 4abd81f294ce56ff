import type { Database } from 'better-sqlite3';
import { LONGEST_POSTPONED_MS } from '../../../domain/polling/poll-schedule.ts';
import type { CampaignSettings } from '../../../domain/campaign.ts';
import type { PollRecord, Recorded } from '../../port.ts';
import { attemptId, type AttemptRow } from '../tables/attempt-rows.ts';
import type { AttemptTable } from '../tables/attempts.ts';
import type { CampaignTable } from '../tables/campaigns.ts';
import type { ServiceBackoffTable } from '../tables/service-backoffs.ts';
import type { RefusalTable } from '../tables/refusals.ts';

/** Without room for a call that it had taken, the service is left alone for so long. */
const HOLD_MS = 2_000;

/** Calls that the service has taken and that have not rung: ended without ringing, or put off by the service itself. */
export function unrungCalls(
  db: Database,
  tables: {
    attempts: AttemptTable;
    campaigns: CampaignTable;
    holds: ServiceBackoffTable;
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
    putOff({ seq, campaign_id }: AttemptRow, beginsAt: number): void {
      const { settings } = tables.campaigns.get(campaign_id);
      const { longestCallMs } = JSON.parse(settings) as CampaignSettings;
      updateBegins.run({
        seq,
        beginsAt,
        until: beginsAt + longestCallMs,
        farthest: LONGEST_POSTPONED_MS,
      });
    },
    /** It was ended without ringing: the lead waits again, and the campaign pauses where no other would fare better. */
    notCalled(attempt: AttemptRow, look: Extract<PollRecord, { kind: 'not_called' }>): Recorded {
      const { at, callId, detail, notBefore, pause } = look;
      const facts = { at, detail, notBefore, wasTaken: true };
      const recorded = tables.attempts.apply(attempt, { type: 'not_called', callId }, facts);
      if (recorded !== 'moved') return recorded;
      if (pause) pauseCampaign(attempt, at, detail);
      else {
        tables.holds.begin(attempt.service, at, HOLD_MS);
        tables.refusals.add(attempt, look);
      }
      return recorded;
    },
  };

  function pauseCampaign({ seq, campaign_id: id }: AttemptRow, at: number, detail: string): void {
    if (tables.campaigns.get(id).state !== 'running') return;
    const pause = { reason: 'profile', detail } as const;
    const entry = { ...pause, attempt: attemptId(seq) };
    tables.campaigns.change(
      id,
      { pause },
      { at, who: 'callsheet', what: 'campaign.paused', detail: entry },
    );
  }
}

export type UnrungCalls = ReturnType<typeof unrungCalls>;
