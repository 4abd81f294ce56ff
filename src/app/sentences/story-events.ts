import { basename } from 'node:path';
import { evidenceText } from '../../domain/calling/evidence.ts';
import { resultOf } from '../../results/rows.ts';
import type { HistoryEntry } from '../../store/port.ts';
import { localTime } from '../../text/local-time.ts';
import { counted } from '../../text/plural.ts';
import type { LeadStory, PersonStory } from '../watch/explain.ts';
import { historyLine } from './history-lines.ts';

/** Something that has happened with a person; `at` is epoch ms. */
export interface StoryEvent {
  at: number;
  text: string;
}

/** Everything that has happened with a person in one campaign, the oldest first. */
export function storyEvents(
  lead: LeadStory,
  suppression: PersonStory['suppression'],
): StoryEvent[] {
  const { timezone } = lead.campaign.settings;
  return [
    ...joinEvents(lead),
    ...callEvents(lead),
    ...closedEvents(lead),
    ...suppressionEvents(suppression, timezone),
  ].toSorted((a, b) => a.at - b.at);
}

function joinEvents({ campaign, list, found, reading, place }: LeadStory): StoryEvent[] {
  const at = list?.at ?? campaign.createdAt;
  const mended = reading?.mended == null ? '' : ` (${reading.mended})`;
  const read =
    reading === null ? '' : `: "${reading.column}" says "${reading.cell.trim()}"${mended}`;
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
    const now = changedAt === null ? '' : ` (by the rules since ${minute(changedAt, timezone)})`;
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
    ...history.map((entry) => ({ at: entry.at, text: withoutTime(entry, timezone) })),
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
      text: `webhook ${type ?? ''} (${id}): ${state}${said(reason)}`,
    })),
  ];
}

function suppressionEvents(
  suppression: PersonStory['suppression'],
  timezone: string,
): StoryEvent[] {
  return suppression.map(({ phone, at, action, source, note, who, expiresAt }) => ({
    at,
    text:
      action === 'remove'
        ? `${who} took ${phone} off the suppression list${said(note)}`
        : `${phone} suppressed by ${source === 'operator' ? who : source}${said(note)}${expiresAt === null ? '' : ` until ${minute(expiresAt, timezone)}`}`,
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
  return until === null ? ' until something is changed' : ` until ${minute(until, timezone)}`;
}

function said(note: string | null): string {
  return note === null ? '' : `: ${note}`;
}

function withoutTime(entry: HistoryEntry, timezone: string): string {
  return historyLine(entry, timezone).slice(localTime(entry.at, timezone).length + 1);
}

/** `2026-01-05 21:00`, in the campaign's time zone. */
export function minute(at: number, timezone: string): string {
  return localTime(at, timezone).slice(0, '2026-01-05 21:00'.length);
}
