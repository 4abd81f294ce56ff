import { describe } from 'vitest';
import { callingHoursRules } from './store/calling/hours.ts';
import { capRules } from './store/calling/caps.ts';
import { campaignRules } from './store/campaigns.ts';
import { claimRules } from './store/dialling/claim.ts';
import { dialRules } from './store/dialling/dials.ts';
import { droppedBodyRules } from './store/dropped-bodies.ts';
import { earlierCallRules } from './store/earlier-calls.ts';
import { evidenceRules } from './store/evidence.ts';
import { foundLaterRules } from './store/found-later.ts';
import { forecastRules } from './store/nights/forecasts.ts';
import { inboxRules } from './store/inbox.ts';
import { firstAnswerRules, gateRules } from './store/dialling/gates.ts';
import { leadVariableRules } from './store/lead-variables.ts';
import { leadRules } from './store/leads.ts';
import { lookingUpRules } from './store/looking-up.ts';
import { outboxRules } from './store/nights/outbox.ts';
import { placeRules } from './store/places.ts';
import { duePollRules, pollRules } from './store/polls.ts';
import { notPlacedRules } from './store/dialling/not-placed.ts';
import { retryRules } from './store/retries.ts';
import { callbackRules } from './store/callbacks.ts';
import { secondNumberRules } from './store/second-numbers.ts';
import { recentEndRules } from './store/recent-ends.ts';
import { notReplayedRules, replayRules } from './store/dialling/replays.ts';
import { resolveRules } from './store/dialling/resolve.ts';
import { serviceBackoffRules } from './store/dialling/service-backoff.ts';
import type { OpenStore } from './store/setup.ts';
import { slotRules } from './store/dialling/slots.ts';
import { suppressionRules } from './store/suppression.ts';
import { sweepRules } from './store/dialling/sweep.ts';
import { unrungRules } from './store/dialling/unrung.ts';
import { progressRules } from './store/progress.ts';
import { budgetRules } from './store/nights/budgets.ts';
import { firingRules, nightResultRules } from './store/nights/night-results.ts';
import { slotShareRules } from './store/nights/shares.ts';
import { withdrawalRules } from './store/withdrawals.ts';

/**
 * What every store must do, said through the port alone: an adapter's test file calls it with its name
 * and a way to open an empty store.
 */
export function storeConformance(name: string, open: OpenStore): void {
  describe(`a store on ${name}`, () => {
    campaignRules(open);
    leadRules(open);
    firingRules(open);
    outboxRules(open);
    placeRules(open);
    withdrawalRules(open);
    claimRules(open);
    callingHoursRules(open);
    capRules(open);
    budgetRules(open);
    nightResultRules(open);
    slotShareRules(open);
    suppressionRules(open);
    earlierCallRules(open);
    leadVariableRules(open);
    slotRules(open);
    serviceBackoffRules(open);
    gateRules(open);
    firstAnswerRules(open);
    dialRules(open);
    duePollRules(open);
    recentEndRules(open);
    forecastRules(open);
    pollRules(open);
    unrungRules(open);
    inboxRules(open);
    droppedBodyRules(open);
    evidenceRules(open);
    replayRules(open);
    notReplayedRules(open);
    sweepRules(open);
    progressRules(open);
    resolveRules(open);
    notPlacedRules(open);
    foundLaterRules(open);
    retryRules(open);
    secondNumberRules(open);
    callbackRules(open);
    lookingUpRules(open);
  });
}
