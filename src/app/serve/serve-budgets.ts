import { MINUTE_MS } from '../../domain/time-units.ts';
import { title } from '../../domain/calling/week-text.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { budgetClause, budgetOf } from '../nights/budget-lines.ts';
import type { World } from '../world.ts';
import type { TellProblem } from './serve-checks.ts';

/** How often budgets are looked at, to tell that one is used up. */
const LOOK_EVERY_MS = MINUTE_MS;

/** Tells which budget holds a campaign back, once a night; a budget of the whole campaign needs a person. */
export function tellBudgets(
  store: Pick<Store, 'budget' | 'placesOf'>,
  problem: TellProblem,
  world: World,
) {
  /** When budgets were looked at last, on the monotonic clock, by campaign. */
  const lookedAt = new Map<string, number>();
  /** What was told last, by campaign. */
  const told = new Map<string, string>();
  return {
    /** Asked again and again in the nights of a campaign; the claim alone decides. */
    look: async (campaign: Campaign, now: number): Promise<void> => {
      const { id, name, settings } = campaign;
      const monotonic = world.clock.monotonic();
      const sinceMs = monotonic - (lookedAt.get(id) ?? -Infinity);
      if (settings.stop === undefined || sinceMs < LOOK_EVERY_MS) return;
      lookedAt.set(id, monotonic);
      const budget = await budgetOf(campaign, store, now);
      const clause = budgetClause(budget, campaign);
      // Calls in progress give back what they do not use.
      if (budget?.limit == null || clause === null || budget.limit.until === 'calls_end') return;
      const what = `${budget.night.date} ${budget.limit.by}`;
      if (told.get(id) === what) return;
      told.set(id, what);
      const sentence = `${title(clause)}.`;
      if (budget.limit.until === 'change') problem(campaign, 'budget', sentence);
      else world.tell(`${name}: ${sentence}`);
    },
  };
}
