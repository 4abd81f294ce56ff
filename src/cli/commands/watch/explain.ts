import { basename } from 'node:path';

import { minute, nextText, storyEvents } from '../../../app/sentences/story-events.ts';
import { explainPerson, type LeadStory, type PersonStory } from '../../../app/watch/explain.ts';
import { endText } from '../../../app/watch/why-not-now.ts';
import { placeOf } from '../../../domain/calling/zone-key.ts';
import { withIso } from '../../../text/times.ts';
import { counted, shellWord, wrapped, type Write } from '../../../text/wording.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import { historyJson, rowJson } from '../../print/json-times.ts';
import type { Outcome } from '../../print/outcome.ts';
import { pasteable } from '../../terminal/output.ts';

export const explain = defineCommand({
  arguments: {
    who: {
      describe: 'phone number, line of the list, call id, external id, or any text in a cell',
      required: true,
    },
  },
  options: {
    campaign: { type: 'text', describe: 'only this campaign' },
    all: { type: 'switch', describe: 'the whole story, also of campaigns that are over' },
    ...databaseOptions,
  },
  examples: [
    ['explain +12125550123', 'why they are not being called, when they will be, and what happened'],
    ['explain 17 --campaign spring', 'the person of line 17 of the list'],
  ],
  run: async (args, io) =>
    storyOutcome(await explainPerson({ ...args, inFull: false }, io), args, io),
});

type ToText = (at: number | null) => string | null;

const toText =
  (timezone: string): ToText =>
  (at) =>
    withIso({ at }, ['at'], timezone).at;

/** The story of a person for `--json`: nothing is shortened, times are ISO 8601 in the campaign's time zone. */
function storyJson(story: PersonStory) {
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

/** The answer and the latest part of the story have to fit on one screen; so many lines of it are for stories. */
const STORY_LINES = 16;
/** At most this many campaigns that are over are named. */
const MOST_ENDED = 4;

/** Which part is shown: everything, or what fits on a screen, with the campaigns that are over in a line each. */
interface Shown {
  all: boolean;
  /** Only this campaign was asked for, so it is told even when it is over. */
  campaign: string | undefined;
}

/** Why a person is not being called, first of all, and then what has happened with them. */
export function storyOutcome(
  stories: readonly PersonStory[],
  shown: Shown,
  io: Parameters<typeof pasteable>[1],
): Outcome {
  const { phone } = stories[0] ?? { phone: '' };
  const write: Write = (head, text) => wrapped(head, pasteable(text, io));
  const isOnly = stories.flatMap(({ leads }) => leads).length === 1;
  const whole = (lead: LeadStory) =>
    lead.isLive || isOnly || shown.all || shown.campaign !== undefined;
  return {
    json: stories.map(storyJson),
    lines: [
      ...stories.flatMap((story, index) => [
        ...(index === 0 ? headLines(story, write) : []),
        ...story.leads.filter(whole).flatMap((lead) => answerLines(lead, write)),
        ...endedLines(
          story,
          story.leads.filter((lead) => !whole(lead)),
          write,
        ),
      ]),
      ...storyLines(stories, whole, shown.all, write),
    ],
    hints: [`\`callsheet show ${phone}\` prints what was said in each call.`],
  };
}

function headLines(story: PersonStory, write: Write): string[] {
  const { phone, askedFor, alsoOf, leads, suppressed } = story;
  const [lead] = leads;
  const zones = placeOf(lead?.found.zoneKey ?? '').zones;
  const place = zones.length === 0 ? 'time zone not known' : `time in ${zones.join(' and ')}`;
  const which = askedFor && (ORDINALS[askedFor.ordinal] ?? `${askedFor.ordinal}th`);
  return [
    ...(askedFor === null ? [] : write('', `${askedFor.phone} is the ${which ?? ''} number of:`)),
    ...write('', `${phone}${lineOf(lead)}  (${place})`),
    ...alsoOf.flatMap((own) =>
      write('  ', `this is a further number of ${own}, too (\`callsheet explain ${own}\`)`),
    ),
    ...suppressed.flatMap((one) =>
      write('  suppressed: ', one.phone === phone ? one.why : `${one.phone}: ${one.why}`),
    ),
  ];
}

/** `, line 3 of people.csv`: whoever typed something else sees whom they found. */
function lineOf(lead: LeadStory | undefined): string {
  if (lead?.list === undefined) return '';
  return `, line ${lead.found.line} of ${basename(lead.list.path)}`;
}

const ORDINALS: Readonly<Record<number, string>> = { 2: 'second', 3: 'third', 4: 'fourth' };

/** The answer of one campaign. */
function answerLines({ found, campaign, answer }: LeadStory, write: Write): string[] {
  const rehearsal = campaign.simulated ? ' (rehearsal)' : '';
  const { why, next } = answer;
  return [
    ...write('  ', `campaign ${campaign.name}${rehearsal}: ${stateOf(found)}`),
    ...why.flatMap((clause, index) => write(index === 0 ? '    why:  ' : '    and:  ', clause)),
    ...(next === undefined
      ? []
      : write(
          '    next: ',
          nextText(next, {
            isHeld: why.length > 0,
            zoneKey: found.zoneKey,
            timezone: campaign.settings.timezone,
          }),
        )),
  ];
}

function stateOf({ result, state }: LeadStory['found']): string {
  return result ?? (state === 'calling' ? 'in a call' : state);
}

/** Campaigns in which nobody calls them any more, in a line each. */
function endedLines({ phone }: PersonStory, ended: readonly LeadStory[], write: Write): string[] {
  const lines = ended.slice(0, MOST_ENDED).flatMap(({ campaign, found, answer: { why } }) => {
    const text = found.state === 'done' ? endText(found) : `waiting, but ${why[0] ?? 'over'}`;
    const line = write('  ', `campaign ${campaign.name}: ${text}`);
    return line.length === 1 ? line : [`${(line[0] ?? '').trimEnd().slice(0, 97)} …`];
  });
  const more = ended.length - MOST_ENDED;
  return more <= 0
    ? lines
    : [
        ...lines,
        ...write(
          '  ',
          `… and ${counted(more, 'more campaign')} that ${more === 1 ? 'is' : 'are'} over: \`callsheet explain ${phone} --all\``,
        ),
      ];
}

/** What has happened: the latest part of it, as much as fits below the answers. */
function storyLines(
  stories: readonly PersonStory[],
  whole: (lead: LeadStory) => boolean,
  all: boolean,
  write: Write,
): string[] {
  const told = stories.flatMap((story) =>
    story.leads.filter(whole).map((lead) => ({ story, lead })),
  );
  // The campaign that called last comes first to whoever asks what has happened.
  const [first] = told.toSorted((a, b) => lastCall(b.lead) - lastCall(a.lead));
  // The answers of several campaigns fill the screen: their stories are told one by one.
  if (first === undefined || (told.length > 1 && !all)) {
    const { phone } = stories[0] ?? { phone: '' };
    const which =
      first === undefined ? '--all' : `--campaign ${shellWord(first.lead.campaign.name)}`;
    const where = first === undefined ? '' : ' in one of them';
    return ['', ...write('', `What has happened${where}: \`callsheet explain ${phone} ${which}\``)];
  }
  return told.flatMap(({ story, lead }) => {
    const { name, settings } = lead.campaign;
    const events = storyEvents(lead, story.suppression).map(({ at, text }) =>
      write(`  ${minute(at, settings.timezone)}  `, text),
    );
    const from = all ? 0 : firstThatFits(events, STORY_LINES);
    const more = `\`callsheet explain ${story.phone} --campaign ${shellWord(name)} --all\``;
    return [
      '',
      ...write('', `Story in campaign ${name} (times in ${settings.timezone}):`),
      ...(from === 0 ? [] : write('  ', `… ${from} earlier: ${more}`)),
      ...events.slice(from).flat(),
    ];
  });
}

function lastCall({ attempts }: LeadStory): number {
  return Math.max(0, ...attempts.map(({ attempt }) => attempt?.intentAt ?? 0));
}

/** The index from which on the entries take at most `room` lines; the last one is always shown. */
function firstThatFits(entries: readonly string[][], room: number): number {
  let lines = 0;
  for (let index = entries.length - 1; index >= 0; index--) {
    lines += entries[index]?.length ?? 0;
    if (lines > room) return Math.min(index + 1, entries.length - 1);
  }
  return 0;
}
