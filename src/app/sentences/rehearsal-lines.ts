import { counted, shellWord } from '../../text/wording.ts';
import { grouped } from '../../text/amounts.ts';
import { weekdayMinuteOf } from '../../text/times.ts';
import type { Rehearsal } from '../../views/rehearsal.ts';
import { NEWER } from '../suppression/suppression-age.ts';
import { shutText } from './hours-lines.ts';

const NOBODY =
  'Nobody waits to be called: bring a list in with `callsheet import NAME LIST`, or what is in a folder with `callsheet import NAME CAMPAIGN-FILE`; both call nobody.';

/** When it would be finished, or why it would not be. */
export function endLine({ end, people, nights, finishedAt, timezone }: Rehearsal): string {
  if (people === 0) return NOBODY;
  const calls = nights.reduce((sum, night) => sum + night.calls, 0);
  const reached = nights.reduce((sum, night) => sum + night.reached, 0);
  const what = `${counted(nights.length, 'night')}, ${counted(calls, 'call')}, ${counted(reached, 'person', 'people')} reached`;
  if (finishedAt !== null) return `${what}; finished ${weekdayMinuteOf(finishedAt)} ${timezone}.`;
  switch (end) {
    case 'suppression_too_old':
      return `${what}; then the suppression list is older than the campaign allows, and nobody more is called: ${NEWER}.`;
    case 'schedule_over':
      return `${what}; then \`schedule\` has no further time, and people still wait: give it one that comes again, or leave it out.`;
    case 'too_long':
      return `${what}; after a year people still wait: raise \`concurrency\` or \`pace\`, or widen \`hours\`.`;
    case 'nobody_may':
    case 'stopped':
    case 'done':
      return `${what}; those who wait then are never called, as things stand.`;
  }
}

/** Who is never called, and why; what to do about it. */
export function neverLines({ neverCalled, shut }: Rehearsal): string[] {
  const shutOut = shut.reduce((sum, { people }) => sum + people, 0);
  const waiting = neverCalled.filter(({ result }) => result === null);
  const others = waiting.reduce((sum, { people }) => sum + people, 0) - shutOut;
  const ended = neverCalled.flatMap(({ result, why, people }) =>
    result === null
      ? []
      : [`${are(people)} never called: ${result}${why === null ? '' : `, e.g. ${why}`}.`],
  );
  const [first] = waiting;
  const why = first?.why == null ? '' : `, e.g. ${first.why}`;
  return [
    ...ended,
    ...shut.map((each) => `${are(each.people)} never called: ${shutText(each)}`),
    ...(others > 0 ? [`${are(others)} not called by the end of the rehearsal${why}.`] : []),
  ];
}

function are(people: number): string {
  return people === 1 ? '1 person is' : `${grouped(people)} people are`;
}

/** What to change so that it takes fewer nights, with the command that does it. */
export function adviceLines(report: Rehearsal): string[] {
  const { better, concurrency, nights, maxCalls, service, stored, campaign, triedAll } = report;
  const limit =
    maxCalls !== null && concurrency >= maxCalls && nights.length > 1
      ? [
          `Service ${service} takes ${grouped(maxCalls)} calls at once (maxCalls): a higher concurrency changes nothing.`,
        ]
      : [];
  const untried = triedAll
    ? []
    : [
        `There was no time to rehearse every other concurrency; \`--concurrency ${(better ?? report).concurrency * 2}\` rehearses that one.`,
      ];
  if (better !== null) {
    const give = stored
      ? `\`callsheet set ${shellWord(campaign)} concurrency=${better.concurrency}\``
      : `--concurrency ${better.concurrency}`;
    return [
      `At concurrency ${concurrency} this list takes ${counted(nights.length, 'night')}; at ${better.concurrency}, ${better.nights}: ${give}, if the service takes so many calls at once.`,
      ...untried,
    ];
  }
  if (limit.length > 0 || untried.length > 0) return [...limit, ...untried];
  return nights.length > 1
    ? ['A higher concurrency would not take fewer nights: hours, caps and retries decide.']
    : [];
}
