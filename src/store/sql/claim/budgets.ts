import type { OffsetAt } from '../../../domain/calling/local-days.ts';
import type { CampaignSettings } from '../../../domain/campaign.ts';
import { allowanceOf } from '../../../domain/nights/budget.ts';
import { nextNight, nightAt, stopsAt, type Night } from '../../../domain/nights/night.ts';
import { NOTHING_SPENT, sumOf, type Spent } from '../../../domain/nights/spent.ts';
import { zoneOffsets } from '../../../runtime/time-zones.ts';
import type { BudgetNow } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { ATTEMPTS_WITH_SLOT, HAS_SLOT } from '../tables/attempt-rows.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import type { NightTable } from '../tables/nights/nights.ts';

/** Calls in progress may give back what is reserved for them: it is asked again after this. */
export const ASK_AGAIN_MS = 1_000;

/**
 * What budgets allow, read in the very transaction that begins calls: attempts that are begun are intents then, or
 * counted in their night, so that no other runner can begin calls on the same remainder.
 */
export function budgetStatements(sql: Sql, { nights }: { nights: NightTable }) {
  const clocks = nightClocks();
  const countIntents = sql.rows<[campaignId: string], { night: string | null; intents: number }>(
    `SELECT night, count(*) AS intents FROM ${ATTEMPTS_WITH_SLOT}
     WHERE campaign_id = ? AND state = 'intent' AND ${HAS_SLOT} GROUP BY night`,
  );

  function now(campaign: CampaignRow, at: number, again = 0): BudgetNow | null {
    const { id, settings } = campaign;
    const { stop, longestCallMs } = settings;
    if (stop === undefined) return null;
    const { night, offsetAt } = clocks(settings, at);
    const byNight = new Map<string, Spent>(nights.of(id).map((row) => [row.night, row]));
    for (const { night: date, intents } of countIntents(id)) {
      const known = byNight.get(date ?? '') ?? NOTHING_SPENT;
      const { calls, open } = known;
      byNight.set(date ?? '', { ...known, calls: calls + intents, open: open + intents });
    }
    const tonight = byNight.get(night.date) ?? NOTHING_SPENT;
    const total = sumOf(byNight.values());
    const isOver = stop.at !== undefined && at >= stopsAt(night, stop.at, settings, offsetAt);
    const spent = { tonight: without(tonight, again), campaign: without(total, again) };
    const { more, limit } = allowanceOf(stop, { ...spent, longestCallMs, isOver });
    const next = nextNight(night, settings, offsetAt);
    return { night, next, tonight, campaign: total, more, limit };
  }

  return {
    /** What `now` reads. */
    read: (id: string): unknown => [nights.of(id), countIntents(id)],
    /** The night of a moment, remembered while it lasts. */
    nightAt: (settings: CampaignSettings, at: number): Night => clocks(settings, at).night,
    /**
     * Null: the campaign has no budget, and nothing was read.
     *
     * @param again so many of the calls in progress are those that are asked about. Default 0
     */
    now,
    /** Keeps what ended the dialling of a night. */
    keepEnd: ({ id }: CampaignRow, { night, more, limit }: BudgetNow): void => {
      if (more > 0 || limit === null || limit.until === 'calls_end') return;
      nights.ended({ campaignId: id, night: night.date, by: limit.by });
    },
  };
}

/** When a claim may give calls again that a budget has not given; null: after somebody has changed the budget. */
export function budgetAsksAgainAt(budget: BudgetNow, now: number): number | null {
  return budget.limit?.until === 'calls_end' ? now + ASK_AGAIN_MS : budgetGoesOnAt(budget);
}

/** When a used-up budget is there again; null: no time tells. */
export function budgetGoesOnAt({ limit, next }: BudgetNow): number | null {
  return limit?.until === 'night' ? next.beginsAt : null;
}

function without(spent: Spent, calls: number): Spent {
  const less = (count: number) => Math.max(0, count - calls);
  return calls === 0 ? spent : { ...spent, calls: less(spent.calls), open: less(spent.open) };
}

/** The nights of campaigns: each claim asks for the same one until it is over, or the settings are others. */
function nightClocks() {
  const known = new WeakMap<CampaignSettings, { offsetAt: OffsetAt; night: Night }>();
  return (settings: CampaignSettings, at: number) => {
    const last = known.get(settings);
    if (last !== undefined && at >= last.night.beginsAt && at < last.night.endsAt) return last;
    const offsetAt = last?.offsetAt ?? zoneOffsets(settings.policy?.zoneOverrides ?? []);
    const clock = { offsetAt, night: nightAt(at, settings, offsetAt) };
    known.set(settings, clock);
    return clock;
  };
}
