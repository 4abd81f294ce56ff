import { basename } from 'node:path';
import { nextText } from '../../app/sentences/next-text.ts';
import { minute, storyEvents } from '../../app/sentences/story-events.ts';
import type { LeadStory, PersonStory } from '../../app/watch/explain.ts';
import { endText } from '../../app/watch/why-not-waiting.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { pasteable } from '../terminal/pasteable.ts';
import type { Outcome } from './outcome.ts';
import { storyJson } from './story-json.ts';
import { wrapped, type Write } from '../../text/wrapped.ts';

/** The answer and the latest part of the story have to fit on one screen; so many lines of it are for stories. */
const STORY_LINES = 16;
/** At most this many campaigns that are over are named. */
const MOST_ENDED = 4;

/** Which part is shown: everything, or what fits on a screen, with the campaigns that are over in a line each. */
export interface Shown {
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
