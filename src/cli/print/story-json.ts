import type { LeadStory, PersonStory } from '../../app/watch/explain.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import { withIso } from '../../text/iso-times.ts';
import { historyJson, rowJson } from './json-times.ts';

type ToText = (at: number | null) => string | null;

const toText =
  (timezone: string): ToText =>
  (at) =>
    withIso({ at }, ['at'], timezone).at;

/** The story of a person for `--json`: nothing is shortened, times are ISO 8601 in the campaign's time zone. */
export function storyJson(story: PersonStory) {
  const { phone, askedFor, now, leads, suppression, suppressed } = story;
  const [first] = leads;
  const time = toText(first?.campaign.settings.timezone ?? 'UTC');
  return {
    phone,
    askedFor,
    suppressed: suppressed.find((one) => one.phone === phone)?.why ?? null,
    suppressedNumbers: suppressed,
    campaigns: leads.map((lead) => leadJson(lead, now)),
    suppression: suppression.map(({ at, expiresAt, ...entry }) => ({
      ...entry,
      at: time(at),
      expiresAt: time(expiresAt),
    })),
  };
}

function leadJson(
  {
    campaign,
    found,
    list,
    reading,
    place,
    answer,
    isLive,
    attempts,
    deliveries,
    holds,
    history,
    closed,
  }: LeadStory,
  now: number,
) {
  const { timezone } = campaign.settings;
  const time = toText(timezone);
  const { next } = answer;
  return {
    campaign: campaign.name,
    simulated: campaign.simulated,
    state: found.state,
    result: found.result,
    now: time(now),
    whyNotNow: answer.why,
    ended: !isLive,
    next:
      next === undefined
        ? null
        : {
            at: time(next.at),
            by: next.by,
            after: next.after,
            holds: next.holds.map((hold) => ({ ...hold, until: time(hold.until) })),
          },
    timezones: placeOf(found.zoneKey).zones,
    regions: placeOf(found.zoneKey).regions,
    zonesDisagree: place.disagree,
    evidence: place.evidence,
    list: list?.path ?? null,
    line: found.line,
    furtherNumbers: found.furtherNumbers,
    number: reading,
    closed: closed.map(({ first, last, changedAt, ...each }) => ({
      ...each,
      first: span(first, time),
      last: span(last, time),
      changedAt: time(changedAt),
    })),
    holds: holds.map(({ at, until, ...hold }) => ({ ...hold, at: time(at), until: time(until) })),
    attempts: attempts.map((row) => rowJson(row, timezone).attempt),
    deliveries: deliveries.map(({ id, type, state, reason, receivedAt }) => ({
      id,
      type,
      state,
      reason,
      receivedAt: time(receivedAt),
    })),
    history: history.map((entry) => historyJson(entry, timezone)),
  };
}

function span({ from, until }: { from: number; until: number | null }, time: ToText) {
  return { from: time(from), until: time(until) };
}
