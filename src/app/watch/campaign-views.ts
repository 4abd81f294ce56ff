import { printSettings } from '../../config/setting-changes.ts';
import type { Openings } from '../../domain/calling/openings.ts';
import { rounded } from '../../domain/money.ts';
import type { Night } from '../../domain/nights/night.ts';
import type { Spent } from '../../domain/nights/spent.ts';
import type { Doubt, HeldSlot, HistoryEntry, List, Progress } from '../../store/port.ts';
import { localTime, withIso, zonedTime } from '../../text/times.ts';
import type { Campaign, CampaignDetail } from '../../views/campaigns.ts';
import { budgetLines } from '../nights/openings-ahead.ts';
import type { CampaignView } from '../run/situation.ts';
import { historyLine } from '../sentences/story-events.ts';
import type { CampaignStatus } from './campaigns.ts';

/** A campaign in short, as lists show it. @param perMinute calls begun in the last minute; null: not known */
export function campaignView(view: CampaignView, perMinute: number | null = null): Campaign {
  const { campaign, progress, works, situation } = view;
  const { name, version, state, simulated, service, settings, createdAt } = campaign;
  const { agent, timezone, schedule = null, concurrency } = settings;
  const iso = zonedTime(timezone);
  const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));
  const ended = Object.values(progress.results).reduce((sum, n) => sum + n, 0);
  return {
    ...progressView(progress, timezone),
    ...{ name, version, state, shown: situation.shown, situation: situation.is },
    isUncalled: situation.isUncalled,
    archived: campaign.archivedAt !== undefined,
    ...{ simulated, service, agent, timezone, schedule, concurrency },
    createdAt: iso(createdAt),
    pauseReason: campaign.pauseReason,
    pauseDetail: campaign.pauseDetail,
    answerRate: ended === 0 ? null : rounded((progress.results.answered ?? 0) / ended),
    perMinute,
    runner: works.runner,
    runnerCalls: works.calls !== null,
    runnerSince: isoOrNull(works.since),
    until: isoOrNull(situation.until),
    why: view.exit.why,
    heldUpBy: view.heldUpBy,
    todo: view.todo,
    attention: situation.attention,
    hours: openingsView(view.hours, timezone),
    budget: budgetView(view),
  };
}

/** One campaign with its calls, doubts, lists, history and settings. */
export function campaignDetail(
  status: CampaignStatus,
  perMinute: number | null = null,
): CampaignDetail {
  const { timezone } = status.campaign.settings;
  return {
    ...campaignView(status, perMinute),
    heldSlots: status.held.map((slot) => heldView(slot, timezone)),
    ended: status.ended.map((call) => withIso(call, ['endedAt'], timezone)),
    openDoubts: status.doubts.map((doubt: Doubt) => {
      return { ...heldView(doubt, timezone), list: doubt.list };
    }),
    blank: status.blank,
    serviceSlots: status.shares,
    unknownWords: status.unknownWords.map(({ of, word, at }) => {
      return { of, word, at: zonedTime(timezone)(at) };
    }),
    lists: status.lists.map((list) => listView(list, timezone)),
    history: status.history.map((entry) => historyView(entry, timezone)),
    settings: printSettings(status.campaign.settings),
  };
}

export const progressView = (progress: Progress, timezone: string) => ({
  ...withIso(progress, ['nextDueAt'], timezone),
  results: { ...progress.results },
});

export function openingsView({ now, later, never, next, shut }: Openings, timezone: string) {
  const opening = next && { ...next, at: zonedTime(timezone)(next.at) };
  return { now, later, never, next: opening, shut };
}

export function listView(list: List, timezone: string): CampaignDetail['lists'][number] {
  const { number, path, at, finishedAt, asOf, good, rejected, duplicates, suppressed } = list;
  const times = withIso({ finishedAt, asOf }, ['finishedAt', 'asOf'], timezone);
  const counts = { good, rejected, duplicates, suppressed };
  const importer = list.importer && processView(list.importer);
  return { number, path, at: zonedTime(timezone)(at), ...times, ...counts, importer };
}

const processView = ({ host, pid }: { host: string; pid: number }) => ({ host, pid });

function historyView(
  { detail, ...entry }: HistoryEntry,
  timezone: string,
): CampaignDetail['history'][number] {
  const at = zonedTime(timezone)(entry.at);
  const begins = localTime(entry.at, timezone).length + 1;
  const text = historyLine({ ...entry, detail }, timezone).slice(begins);
  // In entries of a schedule, `detail.at` is the scheduled time.
  return {
    ...entry,
    at,
    text,
    detail: 'at' in detail ? withIso(detail, ['at'], timezone) : detail,
  };
}

function heldView(slot: HeldSlot, timezone: string): CampaignDetail['heldSlots'][number] {
  const { attemptId, key, state, phone, line, callId, intentAt, holdsUntil, detail } = slot;
  const iso = zonedTime(timezone);
  return {
    ...{ attempt: attemptId, externalId: key, state, phone, line, callId },
    ...{ sentAt: iso(intentAt), heldUntil: iso(holdsUntil), whatFailed: detail },
    owner: processView(slot.owner),
  };
}

/** What budgets allow; `more` is null where none limits the calls. */
function budgetView({ budget, campaign }: CampaignView): Campaign['budget'] {
  if (budget === null) return null;
  const { timezone } = campaign.settings;
  const iso = zonedTime(timezone);
  const nightView = ({ date, beginsAt, endsAt }: Night) => {
    return { date, beginsAt: iso(beginsAt), endsAt: iso(endsAt) };
  };
  const { night, next, tonight, more, limit, goesOnAt } = budget;
  return {
    night: nightView(night),
    next: nightView(next),
    tonight: spentView(tonight),
    campaign: spentView(budget.campaign),
    more: more === Infinity ? null : more,
    limit,
    goesOnAt: goesOnAt === null ? null : iso(goesOnAt),
    lines: budgetLines(budget, campaign),
  };
}

function spentView({ calls, open, answered, talkMs, costs }: Spent) {
  const sums = Object.entries(costs).map(([currency, { sum }]) => ({ amount: sum, currency }));
  return { calls, open, answered, talkMs, costs: sums };
}
