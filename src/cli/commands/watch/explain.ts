import { basename } from 'node:path';

import { z } from 'zod';
import { explainPerson } from '../../../app/watch/explain.ts';
import { findPeople } from '../../../app/watch/find-people.ts';
import { localOf } from '../../../text/times.ts';
import { counted, shellWord, wrapped, type Write } from '../../../text/wording.ts';
import { explained, foundPerson, type Explained, type Person } from '../../../views/people.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import type { Outcome } from '../../print/outcome.ts';
import { pasteable } from '../../terminal/output.ts';
import { peopleOutcome } from './show.ts';

export const explain = defineCommand({
  arguments: {
    who: {
      describe: 'phone number, line of the list, call id, external id, or any text in a cell',
      required: true,
    },
  },
  options: {
    campaign: { describe: 'only this campaign' },
    all: { type: 'switch', describe: 'the whole story, also of campaigns that are over' },
    calls: { type: 'switch', describe: 'instead, their row and every call with what was said' },
    ...databaseOptions,
  },
  examples: [
    ['explain +12125550123', 'why they are not being called, when they will be, and what happened'],
    ['explain 17 --campaign spring', 'the person of line 17 of the list'],
    ["explain 'ann mill' --calls", 'everybody with such a name, or company, or email'],
    ['explain +12125550123 --calls', 'every attempt and transcript of this number'],
  ],
  json: z.union([z.array(explained), z.array(foundPerson)]),
  run: async (args, io) =>
    args.calls
      ? peopleOutcome(await findPeople(args, io))
      : storyOutcome(await explainPerson(args, io), args, io),
});

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
  stories: readonly Explained[],
  shown: Shown,
  io: Parameters<typeof pasteable>[1],
): Outcome<Explained[]> {
  const { phone } = stories[0] ?? { phone: '' };
  const write: Write = (head, text) => wrapped(head, pasteable(text, io));
  const isOnly = stories.flatMap(({ campaigns }) => campaigns).length === 1;
  const whole = ({ over }: Person) => !over || isOnly || shown.all || shown.campaign !== undefined;
  return {
    json: [...stories],
    lines: [
      ...stories.flatMap((story, index) => [
        ...(index === 0 ? headLines(story, write) : []),
        ...story.campaigns.filter(whole).flatMap((person) => answerLines(person, write)),
        ...endedLines(
          story.campaigns.filter((person) => !whole(person)),
          write,
        ),
      ]),
      ...storyLines(
        stories.flatMap(({ campaigns }) => campaigns.filter(whole)),
        { phone, all: shown.all },
        write,
      ),
    ],
    hints: [`\`callsheet explain ${phone} --calls\` prints what was said in each call.`],
  };
}

function headLines(story: Explained, write: Write): string[] {
  const { phone, askedFor, alsoOf, campaigns, suppressed } = story;
  const [person] = campaigns;
  const zones = person?.zones ?? [];
  const place = zones.length === 0 ? 'time zone not known' : `time in ${zones.join(' and ')}`;
  const which = askedFor && (ORDINALS[askedFor.ordinal] ?? `${askedFor.ordinal}th`);
  return [
    ...(askedFor === null ? [] : write('', `${askedFor.phone} is the ${which ?? ''} number of:`)),
    ...write('', `${phone}${lineOf(person)}  (${place})`),
    ...alsoOf.flatMap((own) =>
      write('  ', `this is a further number of ${own}, too (\`callsheet explain ${own}\`)`),
    ),
    ...suppressed.flatMap((one) =>
      write('  suppressed: ', one.phone === phone ? one.why : `${one.phone}: ${one.why}`),
    ),
  ];
}

/** `, line 3 of people.csv`, so that a search by something else than a number shows who was found. */
function lineOf(person: Person | undefined): string {
  const { listPath = null, line = 0 } = person ?? {};
  return listPath === null ? '' : `, line ${line} of ${basename(listPath)}`;
}

const ORDINALS: Readonly<Record<number, string>> = { 2: 'second', 3: 'third', 4: 'fourth' };

function answerLines(person: Person, write: Write): string[] {
  const { campaign, simulated, result, state, why, next } = person;
  const rehearsal = simulated ? ' (rehearsal)' : '';
  const now = result ?? (state === 'calling' ? 'in a call' : state);
  return [
    ...write('  ', `campaign ${campaign}${rehearsal}: ${now}`),
    ...why.flatMap((clause, index) => write(index === 0 ? '    why:  ' : '    and:  ', clause)),
    ...(next === null ? [] : write('    next: ', next.text)),
  ];
}

/** Campaigns in which nobody calls them any more, in a line each. */
function endedLines(ended: readonly Person[], write: Write): string[] {
  const lines = ended.slice(0, MOST_ENDED).flatMap(({ campaign, state, why }) => {
    const end = why[0] ?? 'over';
    const text = state === 'done' ? end : `waiting, but ${end}`;
    const line = write('  ', `campaign ${campaign}: ${text}`);
    return line.length === 1 ? line : [`${(line[0] ?? '').trimEnd().slice(0, 97)} …`];
  });
  const more = ended.length - MOST_ENDED;
  const { phone } = ended[0] ?? { phone: '' };
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
  people: readonly Person[],
  { phone, all }: { phone: string; all: boolean },
  write: Write,
): string[] {
  // The campaign that called last is the first to be told.
  const told = people.toSorted((a, b) => lastCall(b) - lastCall(a));
  const [first] = told;
  // The answers of several campaigns fill the screen: their stories are told one by one.
  if (first === undefined || (told.length > 1 && !all)) {
    const which = first === undefined ? '--all' : `--campaign ${shellWord(first.campaign)}`;
    const where = first === undefined ? '' : ' in one of them';
    return ['', ...write('', `What has happened${where}: \`callsheet explain ${phone} ${which}\``)];
  }
  return people.flatMap(({ campaign, timezone, story }) => {
    const events = story.map(({ at, text }) => write(`  ${localOf(at)}  `, text));
    const from = all ? 0 : firstThatFits(events, STORY_LINES);
    const more = `\`callsheet explain ${phone} --campaign ${shellWord(campaign)} --all\``;
    return [
      '',
      ...write('', `Story in campaign ${campaign} (times in ${timezone}):`),
      ...(from === 0 ? [] : write('  ', `… ${from} earlier: ${more}`)),
      ...events.slice(from).flat(),
    ];
  });
}

function lastCall({ calls }: Person): number {
  return Math.max(0, ...calls.map(({ intentAt }) => Date.parse(intentAt)));
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
