import type { Openings } from '../../domain/calling/openings.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import { withIso } from '../../text/times.ts';
import type { BudgetView } from '../../app/nights/budget-lines.ts';
import type { ForecastReport } from '../../app/plan/forecast.ts';
import type { Works } from '../../app/run/who-works.ts';
import type { Campaign, Doubt, HeldSlot, HistoryEntry, List, Progress } from '../../store/port.ts';

/** Values from the store as `--json` shows them: times are ISO 8601 with an offset. */

/** Leaves out what only the store needs. */
export function campaignJson({ archivedAt, ...campaign }: Campaign) {
  const { name, state, pauseReason, pauseDetail, service, simulated, settings } = campaign;
  const archived = archivedAt !== undefined;
  const shown = settingsJson(settings);
  return { name, state, pauseReason, pauseDetail, archived, service, simulated, settings: shown };
}

/** Without what rules come to, which `callsheet rules show NAME` prints. */
export function settingsJson(settings: CampaignSettings) {
  return { ...settings, policy: undefined };
}

/** How many may be called by the hours, and when the next may. */
export function openingsJson({ now, later, never, next, shut }: Openings, timezone: string) {
  const opening = next === null ? null : withIso(next, ['at'], timezone);
  return { now, later, never, next: opening, shut };
}

/** What budgets allow; `more` is null where none limits the calls. */
export function budgetJson(budget: BudgetView | null, timezone: string) {
  if (budget === null) return null;
  const { night, next, tonight, campaign, more, limit } = budget;
  return {
    night: withIso(night, ['beginsAt', 'endsAt'], timezone),
    tonight,
    campaign,
    more: more === Infinity ? null : more,
    limit,
    next: withIso(next, ['beginsAt', 'endsAt'], timezone),
    goesOnAt: withIso({ at: budget.goesOnAt }, ['at'], timezone).at,
  };
}

export const forecastJson = ({ endsAt, byNight, ...report }: ForecastReport, timezone: string) => ({
  ...withIso(report, ['startAt'], timezone),
  endsAt: withIso(endsAt, ['low', 'middle', 'high'], timezone),
  byNight: byNight.map((night) => withIso(night, ['beginsAt'], timezone)),
});

/** The processes that run a campaign. */
export function worksJson({ runner, calls, since }: Works, timezone: string) {
  const at = withIso({ since }, ['since'], timezone).since;
  return { runner, runnerCalls: calls !== null, runnerSince: at };
}

export const progressJson = (progress: Progress, timezone: string) =>
  withIso(progress, ['nextDueAt'], timezone);

export const listJson = ({ importer, ...list }: List, timezone: string) => ({
  ...withIso(list, ['at', 'finishedAt', 'asOf'], timezone),
  importer: importer === null ? null : withIso(importer, ['seenAt'], timezone),
});

export const heldJson = (slot: HeldSlot, timezone: string) =>
  withIso(slot, ['intentAt', 'holdsUntil'], timezone);

export const doubtJson = ({ resolution, ...doubt }: Doubt, timezone: string) => ({
  ...withIso(doubt, ['intentAt', 'holdsUntil'], timezone),
  resolution: resolution === null ? null : withIso(resolution, ['at'], timezone),
});

export const historyJson = ({ detail, ...entry }: HistoryEntry, timezone: string) => ({
  ...withIso(entry, ['at'], timezone),
  // In entries of a schedule, `detail.at` is the scheduled time.
  detail: 'at' in detail ? withIso(detail, ['at'], timezone) : detail,
});
