import { basename } from 'node:path';

import { labelOf, rowOf, spokenValue } from '../../config/table/settings-table.ts';
import { evidenceText } from '../../domain/calling/caps.ts';
import { daysText } from '../../domain/calling/policy.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import { weeklyOf } from '../../domain/nights/night.ts';
import type { E164 } from '../../domain/phone.ts';
import type { PersonPlace } from '../../leads/zones/place-of-person.ts';
import { resultOf } from '../../results/columns.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type {
  Campaign,
  ExportRow,
  FoundLead,
  HeldBack,
  HistoryEntry,
  KeptDelivery,
  List,
  SuppressionRecord,
} from '../../store/port.ts';
import { historyText } from '../../text/history-text.ts';
import { localMinute, localTime } from '../../text/times.ts';
import { counted } from '../../text/wording.ts';
import type { Person } from '../../views/people.ts';
import type { ClosedTimes } from '../watch/closed-times.ts';
import type { Answer } from '../watch/why-not-now.ts';
import { remedyFor } from './hours-lines.ts';

/** One person in one campaign, as the store has them; their story is made from it. Times are epoch ms. */
export interface LeadStory {
  campaign: Campaign;
  found: FoundLead;
  list: List | undefined;
  number: Person['number'];
  place: PersonPlace;
  answer: Answer;
  attempts: ExportRow[];
  deliveries: KeptDelivery[];
  holds: HeldBack[];
  /** What was done to this person, and what was decided for the whole campaign. */
  history: HistoryEntry[];
  closed: ClosedTimes[];
  /** What was done about any of their numbers, oldest first. */
  suppression: SuppressionRecord[];
  /** Those of their numbers that are suppressed now. */
  suppressed: { phone: E164; why: string }[];
}

/** Something that has happened with a person; `at` is epoch ms. */
interface StoryEvent {
  at: number;
  text: string;
}

/** Everything that has happened with a person in one campaign, the oldest first. */
export function storyEvents(lead: LeadStory): StoryEvent[] {
  const { campaign, suppression } = lead;
  return [
    ...joinEvents(lead),
    ...callEvents(lead),
    ...closedEvents(lead),
    ...suppressionEvents(suppression, campaign.settings.timezone),
  ].toSorted((a, b) => a.at - b.at);
}

function joinEvents({ campaign, list, found, number, place }: LeadStory): StoryEvent[] {
  const at = list?.at ?? campaign.createdAt;
  const mended = number?.mended == null ? '' : ` (${number.mended})`;
  const read = number === null ? '' : `: "${number.column}" says "${number.cell.trim()}"${mended}`;
  const zones = place.evidence.map(
    ({ source, text, zones: found }) =>
      `${SOURCES[source]} ${text}: ${found.length === 0 ? 'none' : found.join(', ')}`,
  );
  return [
    {
      at,
      text: `joined as line ${found.line} of ${basename(list?.path ?? 'a single call')}${read}`,
    },
    ...zones.map((text) => ({ at, text: `time zone by ${text}` })),
    ...(place.disagree
      ? [{ at, text: 'list and number disagree about the time, so both must allow a call' }]
      : []),
  ];
}

function closedEvents({ campaign, closed }: LeadStory): StoryEvent[] {
  const { timezone } = campaign.settings;
  return closed.map(({ first, last, times, by, why, changedAt }) => {
    const often = times === 1 ? '' : `, ${counted(times, 'time')}, at last`;
    // What time it was when they were closed first says nothing about the other times.
    const hours = why.replace(/ \(it is [^()]*\)$/, '');
    const now =
      changedAt === null ? '' : ` (by the rules since ${localMinute(changedAt, timezone)})`;
    return {
      at: first.from,
      text: `waited for calling hours${often}${untilText(last.until, timezone)}: ${by}: ${hours}${now}`,
    };
  });
}

function callEvents({
  campaign,
  found,
  attempts,
  deliveries,
  holds,
  history,
}: LeadStory): StoryEvent[] {
  const { timezone } = campaign.settings;
  return [
    ...history
      .filter(({ what, detail }) => 'phone' in detail || CALLS.includes(what))
      .map((entry) => ({ at: entry.at, text: entryText(entry) })),
    ...holds.map(({ at, until, by, why }) => ({
      at,
      text: `held back${untilText(until, timezone)}: ${by}: ${why}`,
    })),
    ...attempts.flatMap(({ attempt }): StoryEvent[] => {
      if (attempt === null) return [];
      const { intentAt, ordinal, phone, settledAt, endedAt, state, detail, service, evidence } =
        attempt;
      const other = phone === found.phone ? '' : ` of their other number ${phone}`;
      const end = settledAt ?? endedAt;
      const answer = resultOf(attempt) ?? `${state}${said(detail)}`;
      const allowed = evidence === null ? '' : `, allowed: ${evidenceText(evidence)}`;
      const begun = `call ${ordinal}${other} at ${service}`;
      return end === null
        ? [{ at: intentAt, text: `${begun}: ${answer}${allowed}` }]
        : [
            { at: intentAt, text: `${begun}${allowed}` },
            { at: end, text: `call ${ordinal} ended: ${answer}` },
          ];
    }),
    ...deliveries.map(({ receivedAt, type, state, reason, id }) => ({
      at: receivedAt,
      text: `webhook${type === null ? '' : ` ${type}`} (${id}): ${state}${said(reason)}`,
    })),
  ];
}

/** What was decided for everybody and concerns when they are called; History has the campaign's other entries. */
const CALLS = [
  'campaign.started',
  'campaign.calledNow',
  'campaign.retried',
  'campaign.paused',
  'campaign.resumed',
  'campaign.cancelled',
  'campaign.cancelUndone',
];

function suppressionEvents(suppression: LeadStory['suppression'], timezone: string): StoryEvent[] {
  return suppression.map(({ phone, at, action, source, note, who, expiresAt }) => ({
    at,
    text:
      action === 'remove'
        ? `${who} took ${phone} off the suppression list${said(note)}`
        : `${phone} suppressed by ${source === 'operator' ? who : source}${said(note)}${expiresAt === null ? '' : ` until ${localMinute(expiresAt, timezone)}`}`,
  }));
}

const SOURCES = {
  timezone: 'the list’s time zone',
  postal_code: 'postal code',
  state: 'state',
  country: 'country',
  number: 'number',
} as const;

function untilText(until: number | null, timezone: string): string {
  return until === null ? ' until something is changed' : ` until ${localMinute(until, timezone)}`;
}

function said(note: string | null): string {
  return note === null ? '' : `: ${note}`;
}

/** A history entry as a sentence, with the names that settings have on pages. */
export function entryText(entry: HistoryEntry): string {
  return historyText(entry, (key, from, to) => {
    // The program's own rules are named apart from those that somebody chose.
    const row = rowOf(key.replace('default ', ''));
    const label = row === undefined || key === 'schedule' ? key : labelOf(row);
    const name = label.slice(0, 1).toLowerCase() + label.slice(1);
    return `${name} from ${valueText(key, from)} to ${valueText(key, to)}`;
  });
}

/** Only experts read cron notation, at its setting. */
function valueText(key: string, typed: string): string {
  const weekly = key === 'schedule' ? weeklyOf(typed) : undefined;
  return weekly === undefined
    ? spokenValue(key, typed)
    : `${daysText(weekly.days)} at ${weekly.at}`;
}

/**
 * When somebody who waits may be called, in the campaign's time and in theirs. It is never a promise: a call also needs
 * a process, a free slot and their turn.
 * @param at.isHeld something else than time keeps them now
 */
export function nextText(
  { at, now, by, after, holds }: NonNullable<Answer['next']>,
  where: { isHeld: boolean; zoneKey: string; timezone: string; campaign: string },
): string {
  if (at === null) return neverText(holds, where.campaign);
  const first = after === null ? '' : `${after}: `;
  if (at <= now)
    return first === '' && !where.isHeld
      ? 'when it is their turn; nothing that is known keeps them'
      : `${first === '' ? 'after that, ' : first}when it is their turn`;
  const decides = by === null ? '' : ` (${by})`;
  return `${first}not before ${localTime(at, where.timezone)}${theirTime(at, where)}${decides}`;
}

/** Their own clock, with the day: `, Tue 09:00 there`; empty where it is the campaign's. */
function theirTime(
  at: number,
  { zoneKey, timezone }: { zoneKey: string; timezone: string },
): string {
  const others = placeOf(zoneKey).zones.filter((zone) => zone !== timezone);
  const offsetAt = zoneOffsets([]);
  const there = others.flatMap((zone) => {
    const offset = offsetAt(zone, at);
    if (offset === undefined) return [];
    // Also for fixed offsets such as `+05:30`, of which Node's formats know nothing.
    const [day = '', , time = ''] = localTime(at + offset, 'UTC').split(' ');
    return `${day} ${time} ${others.length === 1 ? 'there' : zone}`;
  });
  return there.length === 0 ? '' : ` = ${there.join(', ')}`;
}

/** Whom nobody may call at any time: some leave the campaign with the next claim, others wait for another setting. */
function neverText(holds: NonNullable<Answer['next']>['holds'], campaign: string): string {
  const never = holds.find(({ until }) => until === null);
  if (never === undefined) return 'never as things stand';
  return ENDS.includes(never.by)
    ? 'never: their place in the campaign ends without another call when it is their turn'
    : `never as things stand. ${remedyFor(never.by, campaign)}.`;
}

const ENDS = ['suppression', 'list', 'skipCalled', 'retry'];
