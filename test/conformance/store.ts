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
import { calledAgainRules } from './store/called-again.ts';
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

/** What every store must do, said through the port alone. */
export const STORE_RULES: readonly ((open: OpenStore) => void)[] = [
  campaignRules,
  leadRules,
  firingRules,
  outboxRules,
  placeRules,
  withdrawalRules,
  calledAgainRules,
  claimRules,
  callingHoursRules,
  capRules,
  budgetRules,
  nightResultRules,
  slotShareRules,
  suppressionRules,
  earlierCallRules,
  leadVariableRules,
  slotRules,
  serviceBackoffRules,
  gateRules,
  firstAnswerRules,
  dialRules,
  duePollRules,
  recentEndRules,
  forecastRules,
  pollRules,
  unrungRules,
  inboxRules,
  droppedBodyRules,
  evidenceRules,
  replayRules,
  notReplayedRules,
  sweepRules,
  progressRules,
  resolveRules,
  notPlacedRules,
  foundLaterRules,
  retryRules,
  secondNumberRules,
  callbackRules,
  lookingUpRules,
];

/** An adapter's test file calls it with its name, a way to open an empty store, and the rules that it tries. */
export function storeConformance(name: string, open: OpenStore, rules = STORE_RULES): void {
  describe(`a store on ${name}`, () => {
    for (const rule of rules) rule(open);
  });
}
