import { budgetLines } from '../../app/nights/budget-lines.ts';
import { historyLine } from '../../app/sentences/history-lines.ts';
import type { CampaignStatus, CampaignView } from '../../app/watch/campaigns.ts';
import { printSettings } from '../../config/setting-changes.ts';
import { localTime } from '../../text/local-time.ts';
import type { Campaign, CampaignDetail } from '../contract/campaigns.ts';
import type { Shown } from './shown.ts';

/** A campaign in short, as lists show it. @param perMinute calls begun in the last minute */
export function campaignBody(view: CampaignView, perMinute: number | null, show: Shown): Campaign {
  const { campaign, progress, works, hours, now } = view;
  const { settings } = campaign;
  const { results } = progress;
  const ended = Object.values(results).reduce((sum, count) => sum + count, 0);
  const { total, waiting, calling, done, held, doubts, dials, nextDueAt } = progress;
  const opening = hours.now === 0 ? (hours.next?.at ?? null) : nextDueAt;
  return {
    name: campaign.name,
    version: campaign.version,
    state: campaign.state,
    archived: campaign.archivedAt !== undefined,
    simulated: campaign.simulated,
    service: campaign.service,
    agent: settings.agent,
    timezone: settings.timezone,
    schedule: settings.schedule ?? null,
    createdAt: campaign.createdAt,
    pauseReason: campaign.pauseReason,
    // It may quote what a service has said, and that a number.
    pauseDetail: campaign.pauseDetail === null ? null : show.text(campaign.pauseDetail),
    progress: { total, waiting, calling, done, held, doubts, dials, results },
    answeredRate: ended === 0 ? null : (results.answered ?? 0) / ended,
    perMinute,
    concurrency: settings.concurrency,
    runner: works.runner,
    nextOpeningAt: opening !== null && opening > now ? opening : null,
    openings: { now: hours.now, later: hours.later, never: hours.never },
    why: show.text(view.why),
    attention: view.attention,
  };
}

/** One campaign with its calls, lists, history and settings. */
export function campaignDetail(
  status: CampaignStatus,
  perMinute: number | null,
  show: Shown,
): CampaignDetail {
  const { campaign, lists, history, budget } = status;
  const { settings } = campaign;
  const budgets = budgetLines(budget, campaign);
  return {
    ...campaignBody(status, perMinute, show),
    calls: status.held.map(({ attemptId, phone, state, intentAt, callId, line }) => ({
      attempt: attemptId,
      phone: show.phone(phone),
      state,
      since: intentAt,
      callId,
      line,
    })),
    ended: status.ended.map(({ durationMs, phone, ...call }) => ({
      ...call,
      phone: show.phone(phone),
      durationSeconds: durationMs === null ? null : durationMs / 1_000,
    })),
    lists: lists.map(({ finishedAt, ...list }) => {
      const { number, path, at, good, rejected, duplicates, suppressed } = list;
      const finished = finishedAt !== null;
      const counts = { good, rejected, duplicates, suppressed };
      return { number, path: show.name(path), at, ...counts, finished };
    }),
    history: history.map((entry) => ({
      at: entry.at,
      who: entry.who,
      what: entry.what,
      text: show.text(
        historyLine(entry, settings.timezone).slice(
          localTime(entry.at, settings.timezone).length + 1,
        ),
      ),
    })),
    settings: Object.fromEntries(
      Object.entries(printSettings(settings)).map(([key, value]) => [key, show.text(value)]),
    ),
    budget: budgets.length === 0 ? null : show.text(budgets.join(' ')),
  };
}
