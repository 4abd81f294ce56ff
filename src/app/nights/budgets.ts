import type { Budget } from '../../domain/nights/budget.ts';
import { nightText } from '../../domain/nights/night.ts';
import { costIn, type Spent } from '../../domain/nights/spent.ts';
import { MINUTE_MS } from '../../domain/time-units.ts';
import type { BudgetNow, Campaign, Store } from '../../store/port.ts';
import { costSumText, grouped } from '../../text/amounts.ts';
import { counted, shellWord } from '../../text/wording.ts';
import { openHoursOf } from '../plan/planned-hours.ts';
import { nextScheduled } from '../plan/schedule-times.ts';

/** What a campaign's budgets allow at a moment, and when calls go on that they hold back. */
export interface BudgetView extends BudgetNow {
  /** The first opening after the next night has begun, or its time of the schedule, epoch ms; null: nothing is held back, or until a person changes it. */
  goesOnAt: number | null;
}

/** Null: the campaign has no budget. */
export async function budgetOf(
  campaign: Pick<Campaign, 'id' | 'settings'>,
  store: Pick<Store, 'budget' | 'placesOf'>,
  now: number,
): Promise<BudgetView | null> {
  const budget = await store.budget(campaign.id, now);
  if (budget === null) return null;
  const { limit, more, next } = budget;
  if (more > 0 || limit?.until !== 'night') return { ...budget, goesOnAt: null };
  const { settings } = campaign;
  const isScheduled = settings.schedule !== undefined;
  const from = isScheduled ? nextScheduled(settings, next.beginsAt - 1) : next.beginsAt;
  const hours = await openHoursOf(campaign, store, from);
  const opensAt = hours.now === 0 ? hours.next?.at : undefined;
  return { ...budget, goesOnAt: opensAt ?? from };
}

/** Why nobody is called although people wait, as a clause with what comes next; null: no budget holds them back. */
export function budgetClause(budget: BudgetView | null, { name }: Campaign): string | null {
  const limit = budget === null || budget.more > 0 ? null : budget.limit;
  if (budget === null || limit === null) return null;
  switch (limit.until) {
    case 'calls_end':
      return `${limit.why}; what calls in progress leave of it is used when they have ended`;
    case 'night':
      return `${limit.why}; goes on with the next night, ${nightText(budget.next)}`;
    case 'change':
      return `${limit.why}; \`callsheet set ${shellWord(name)} ${limit.by}=...\` sets another one, ${limit.by}=none takes it away`;
  }
}

/** The lines of `status`: what of each budget is used. @param nextAt when calls begin next, ISO 8601; null: not known */
export function budgetLines(
  budget: BudgetView | null,
  campaign: Campaign,
  nextAt: string | null = null,
): string[] {
  const { stop } = campaign.settings;
  if (budget === null || stop === undefined) return [];
  const { total, at, ...night } = stop;
  // Nobody was called in this night, nor will be.
  const isOver = budget.tonight.calls === 0 && Date.parse(nextAt ?? '') >= budget.next.beginsAt;
  const { date } = isOver ? budget.next : budget.night;
  const tonight = [
    ...usedOf(night, budget.tonight),
    ...(at === undefined ? [] : [`calls begin before ${at}`]),
  ];
  const inAll = total === undefined ? [] : usedOf(total, budget.campaign);
  return [
    ...(tonight.length === 0 ? [] : [`Night of ${date}: ${tonight.join('; ')}.`]),
    ...(inAll.length === 0 ? [] : [`Whole campaign: ${inAll.join('; ')}.`]),
  ];
}

/** The limits of a night and of the whole campaign, for the plan's header; none: no text. */
export function limitTexts({ stop }: Campaign['settings']): string[] {
  if (stop === undefined) return [];
  const { total = {}, at, ...night } = stop;
  const [tonight, inAll] = [night, total].map((budget) => usedOf(budget).join(', '));
  const parts = [tonight && `${tonight} a night`, inAll && `${inAll} in all`].filter(Boolean);
  return [
    ...(parts.length === 0 ? [] : [`at most ${parts.join(', ')}`]),
    ...(at === undefined ? [] : [`no call after ${at}`]),
  ];
}

/** @param spent left out: the limits alone */
function usedOf({ calls, talkMinutes, cost, answered }: Budget, spent?: Spent): string[] {
  const open = spent && spent.open > 0 ? ` (${grouped(spent.open)} in progress)` : '';
  const of = (used: (known: Spent) => string) => (spent ? `${used(spent)} of ` : '');
  const number = (used: (known: Spent) => number) => of((known) => grouped(used(known)));
  const minutes = number(({ talkMs }) => Math.ceil(talkMs / MINUTE_MS));
  return [
    calls && `${number((known) => known.calls)}${counted(calls, 'call')}${open}`,
    answered && `${number((known) => known.answered)}${grouped(answered)} answered`,
    talkMinutes && `${minutes}${counted(talkMinutes, 'talk minute')}`,
    cost &&
      `${of((known) => costSumText(costIn(known, cost.currency), ''))}${costSumText(cost.amount, cost.currency)}`,
  ].filter((text) => typeof text === 'string');
}
