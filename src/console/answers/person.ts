import { nextText } from '../../app/sentences/next-text.ts';
import { storyEvents } from '../../app/sentences/story-events.ts';
import type { OnePerson } from '../../app/watch/one-person.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import type { LeadStory } from '../../app/watch/explain.ts';
import type { Attempt, PersonStory } from '../contract/people.ts';
import type { Shown } from './shown.ts';

type Call = OnePerson['calls'][number];

/** Everything about one person in one campaign, as somebody may see it. */
export function personBody(person: OnePerson, shown: Shown): PersonStory {
  const { lead, name, suppressed, waits, isWithdrawn } = person;
  const { found, list, answer } = lead;
  const { phone, text } = shown;
  const orNull = (given: string | null) => (given === null ? null : text(given));
  const numbers = [found.phone, ...found.furtherNumbers];
  return {
    id: `${found.list}-${found.line}`,
    phone: phone(found.phone),
    name: orNull(name),
    furtherNumbers: found.furtherNumbers.map(phone),
    list: found.list,
    listPath: list === undefined ? null : shown.name(list.path),
    line: found.line,
    zones: [...placeOf(found.zoneKey).zones],
    suppressed: suppressed.map((one) => ({ phone: phone(one.phone), why: text(one.why) })),
    state: found.state,
    result: found.result,
    reason: orNull(found.reason),
    why: answer.why.map(text),
    next: orNull(nextOf(lead)),
    nextAt: answer.next?.at ?? null,
    story: storyEvents(lead, person.suppression).map(({ at, text: told }) => {
      return { at, text: text(told) };
    }),
    attempts: person.calls.map((call) => attemptBody(call, shown)),
    capturedLeads: shown.said ? person.calls.flatMap(({ row }) => row.capturedLeads) : [],
    cells: found.cells.map((value, i) => {
      return { column: list?.headers[i] ?? '', value: text(value) };
    }),
    can: {
      cancel: waits,
      undoCancel: isWithdrawn,
      suppress: suppressed.length < numbers.length,
    },
  };
}

function nextOf({ answer: { why, next }, found, campaign }: LeadStory): string | null {
  if (next === undefined) return null;
  const { timezone } = campaign.settings;
  return nextText(next, { isHeld: why.length > 0, zoneKey: found.zoneKey, timezone });
}

function attemptBody({ row, attempt, result }: Call, { phone, text, said }: Shown): Attempt {
  const { analytics } = row;
  const { id, ordinal, state, intentAt, endedAt, callId, service, agent, detail } = attempt;
  const turns = said ? (analytics?.turns ?? []) : [];
  const durationMs = analytics?.durationMs ?? null;
  return {
    ...{ id, ordinal, state, result, intentAt, endedAt, callId, service, agent, turns },
    phone: phone(attempt.phone),
    durationSeconds: durationMs === null ? null : durationMs / 1_000,
    sentiment: analytics?.sentiment ?? null,
    summary: said ? (analytics?.summary ?? null) : null,
    transcript: said && turns.length === 0 ? (analytics?.transcript ?? null) : null,
    recordingUrl: said ? webAddress(analytics?.recordingUrl ?? null) : null,
    cost: analytics?.cost ?? null,
    costCurrency: analytics?.costCurrency ?? null,
    detail: detail === null ? null : text(detail),
  };
}

/** The address if a browser may open it: it comes from the service, and could be one that runs something. */
function webAddress(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}
