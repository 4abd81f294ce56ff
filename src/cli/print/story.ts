import { basename } from 'node:path';
import type { LeadStory, PersonStory } from '../../app/watch/explain.ts';
import { remedyFor } from '../../app/sentences/hours-lines.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import { resultOf } from '../../results/rows.ts';
import type { HistoryEntry } from '../../store/port.ts';
import { localTime, weekdayTime } from '../../text/local-time.ts';
import { historyLine } from './history-lines.ts';
import type { Outcome } from './outcome.ts';
import { storyJson } from './story-json.ts';
import { wrapped } from './wrapped.ts';

/** Why a person is not being called, and everything that has happened with them. */
export function storyOutcome(stories: readonly PersonStory[]): Outcome {
  const { phone } = stories[0] ?? { phone: '' };
  return {
    json: stories.map(storyJson),
    lines: stories.flatMap((story) => [...nowLines(story), '', 'Story:', ...storyLines(story)]),
    hints: [`\`callsheet show ${phone}\` prints what was said in each call.`],
  };
}

function nowLines({ phone, leads, suppressedBy }: PersonStory): string[] {
  return [
    `${phone}${nameOfPlace(leads[0])}`,
    ...(suppressedBy === null ? [] : wrapped('  suppressed: ', suppressedBy.why)),
    ...leads.flatMap(({ found, campaign, why, next }) => {
      const rehearsal = campaign.simulated ? ' (rehearsal)' : '';
      const state = `campaign ${campaign.name}${rehearsal}: ${found.result ?? found.state}`;
      const nothing = why.length === 0 ? ', and nothing keeps them: it will be their turn' : '';
      return [
        ...wrapped('  ', `${state}${nothing}`),
        ...why.flatMap((clause, index) => wrapped(index === 0 ? '    why: ' : '    and: ', clause)),
        ...(next === undefined
          ? []
          : wrapped('    next: ', nextText(next, found.zoneKey, campaign.settings.timezone))),
      ];
    }),
  ];
}

function nameOfPlace(lead: LeadStory | undefined): string {
  const zones = placeOf(lead?.found.zoneKey ?? '').zones;
  return zones.length === 0 ? '  (time zone not known)' : `  (time in ${zones.join(' and ')})`;
}

function nextText(
  { at, holds }: NonNullable<LeadStory['next']>,
  zoneKey: string,
  timezone: string,
): string {
  if (at === null) {
    const never = holds.find(({ until }) => until === null);
    return `never as things stand${never === undefined ? '' : `. ${remedyFor(never.by)}`}.`;
  }
  const last = holds.toSorted((a, b) => (b.until ?? 0) - (a.until ?? 0))[0];
  const by = last?.by;
  const there = placeOf(zoneKey).zones.filter(
    (zone) => zone !== timezone && !/^[+-]/.test(zone),
  )[0];
  const theirs = there === undefined ? '' : ` = ${weekdayTime(at, there)}`;
  return holds.length === 0
    ? 'as soon as a process calls this campaign and it is their turn'
    : `${weekdayTime(at, timezone)}${theirs} at the earliest${by === undefined ? '' : ` (${by})`}`;
}

interface Event {
  at: number;
  text: string;
}

/** Everything that happened, the oldest first; of several campaigns with their names. */
function storyLines({ leads, suppression }: PersonStory): string[] {
  const [first] = leads;
  const timezone = first?.campaign.settings.timezone ?? 'UTC';
  const isOne = leads.length < 2;
  const events: Event[] = [
    ...leads.flatMap((lead) =>
      eventsOf(lead).map(({ at, text }) => ({
        at,
        text: isOne ? text : `${lead.campaign.name}: ${text}`,
      })),
    ),
    ...suppression.map(({ at, action, source, note, who, expiresAt }) => ({
      at,
      text:
        action === 'remove'
          ? `${who} took the number off the suppression list${said(note)}`
          : `suppressed by ${source === 'operator' ? who : source}${said(note)}${expiresAt === null ? '' : ` until ${minute(expiresAt, timezone)}`}`,
    })),
  ];
  return events
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at, text }) => wrapped(`  ${minute(at, timezone)}  `, text));
}

function eventsOf(lead: LeadStory): Event[] {
  const { campaign, list, found, reading, place, attempts, deliveries, holds, history, closed } =
    lead;
  const { timezone } = campaign.settings;
  const cameIn = list?.at ?? campaign.createdAt;
  const read =
    reading === null
      ? ''
      : `: "${reading.column}" says "${reading.cell.trim()}"${reading.mended === null ? '' : ` (${reading.mended})`}`;
  return [
    {
      at: cameIn,
      text: `joined as line ${found.line} of ${basename(list?.path ?? 'a single call')}${read}`,
    },
    ...place.evidence.map(({ source, text, zones }) => ({
      at: cameIn,
      text: `time zone by ${SOURCES[source]} ${text}: ${zones.length === 0 ? 'none' : zones.join(', ')}`,
    })),
    ...(place.disagree
      ? [{ at: cameIn, text: 'list and number disagree about the time, so both must allow a call' }]
      : []),
    ...(closed === null
      ? []
      : [
          {
            at: closed.first.from,
            text: `waited for calling hours${closed.times === 1 ? '' : `, ${closed.times} times, at last`}${untilText(closed.last.until, timezone)}: ${closed.by}: ${closed.why}`,
          },
        ]),
    ...history.map((entry) => ({ at: entry.at, text: withoutTime(entry, timezone) })),
    ...holds.map(({ at, until, by, why }) => ({
      at,
      text: `held back${untilText(until, timezone)}: ${by}: ${why}`,
    })),
    ...attempts.flatMap(({ attempt }): Event[] => {
      if (attempt === null) return [];
      const { intentAt, ordinal, phone, settledAt, endedAt, state, detail, service } = attempt;
      const other = phone === found.phone ? '' : ` of their other number ${phone}`;
      const result = resultOf(attempt);
      const end = settledAt ?? endedAt;
      const answer = result ?? `${state}${detail === null ? '' : `: ${detail}`}`;
      return [
        {
          at: intentAt,
          text: `call ${ordinal}${other} at ${service}${end === null ? `: ${answer}` : ''}`,
        },
        ...(end === null ? [] : [{ at: end, text: `call ${ordinal} ended: ${answer}` }]),
      ];
    }),
    ...deliveries.map(({ receivedAt, type, state, reason, id }) => ({
      at: receivedAt,
      text: `webhook ${type ?? ''} (${id}): ${state}${said(reason)}`,
    })),
  ];
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
function minute(at: number, timezone: string): string {
  return localTime(at, timezone).slice(0, '2026-01-05 21:00'.length);
}
