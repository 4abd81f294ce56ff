import type { Range } from '../../domain/forecast/forecast.ts';
import { USUAL_PER_MINUTE, type ForeseenPrice } from '../../domain/nights/budget.ts';
import { costSumText, durationText, grouped } from '../../text/amounts.ts';
import { localMinute, localOf, localTime } from '../../text/times.ts';
import { counted, shellWord, someOf } from '../../text/wording.ts';
import type { ForecastView } from '../../views/plan.ts';
import type { Rehearsal } from '../../views/rehearsal.ts';
import type { ForecastReport } from '../plan/forecast.ts';
import { NEWER } from '../suppression/suppression-age.ts';
import { shutLines } from './hours-lines.ts';

/** From what a forecast is made, when it ends and what that takes; the lines after the first are set in. */
export function forecastSentences(report: ForecastReport, timezone: string): string[] {
  return [
    `Forecast from ${localTime(report.startAt, timezone)}, ${fromWhat(report)}:`,
    ...endLines(report, timezone),
    ...neededLines(report),
    ...notInItLines(report),
  ];
}

const MOST_ROWS = 14;
const BAR = 40;

/** Calls by night, in at most 100 columns; none where there is only one night. */
export function nightBars({ byNight }: Pick<ForecastView, 'byNight'>): string[] {
  if (byNight.length < 2) return [];
  const most = Math.max(...byNight.map(({ calls }) => calls.middle));
  const more = byNight.length - MOST_ROWS;
  return [
    'Calls:',
    ...byNight.slice(0, MOST_ROWS).map(({ night, calls }) => {
      const bar = '#'.repeat(Math.max(1, Math.round((calls.middle / most) * BAR)));
      return `  ${night}  ${bar.padEnd(BAR)}  ${rangeText(calls, whole)}`;
    }),
    ...(more > 0 ? [`  and ${counted(more, 'night')} more`] : []),
  ];
}

function fromWhat({ seen }: ForecastReport): string {
  const calls = counted(seen.calls, 'call');
  return {
    campaign: `from ${calls} of this campaign`,
    agent: `from ${calls} with this agent`,
    service: `from ${calls} at this service, with other agents`,
    defaults: 'from usual calls, as too few were seen',
  }[seen.of];
}

function endLines({ end, endShare, endsAt, people }: ForecastReport, timezone: string): string[] {
  const { low, middle, high } = endsAt;
  if (end === 'nobody_may') return ['  Nobody of them can be called, as things stand.'];
  if (middle === null || low === null)
    return ['  When it ends cannot be told: plays differ too much.'];
  const when = (at: number | null) => (at === null ? 'an unknown time' : localMinute(at, timezone));
  const what = {
    done: `${counted(people, 'person', 'people')} through`,
    budget: "The campaign's budget used up",
    time: 'No more calls, with people left',
  }[end];
  return [
    `  ${what}: ${when(middle)}; 8 of 10 times between`,
    `  ${when(low)} and ${when(high)}.`,
    ...(endShare < 0.9
      ? [`  Only ${Math.round(endShare * 100)}% of the plays end like that.`]
      : []),
  ];
}

function neededLines({ nights, calls, talkMs, costs, seen, slots }: ForecastReport): string[] {
  const spent = Object.entries(costs).map(([currency, cost]) =>
    rangeText(cost, (amount) => costSumText(amount.toFixed(4), currency)),
  );
  const unknown =
    seen.of === 'defaults'
      ? 'not known, as no call was seen'
      : 'not known, as no call that was seen had a cost';
  const partly = seen.priced > 0 && seen.priced < seen.calls / 2;
  const some = partly ? ` (${grouped(seen.priced)} of the calls that were seen had one)` : '';
  const by = seen.pricedBy === null ? '' : `, ${priceText(seen.pricedBy)}`;
  const unit = '' in costs ? ", in the service's own unit" : '';
  return [
    `  Nights: ${rangeText(nights, whole)}. Calls: ${rangeText(calls, whole)}, at most ${slots} at once.`,
    `  Talk time: ${rangeText(talkMs, durationText)}.`,
    `  Cost: ${spent.length === 0 ? unknown : spent.join(' and ') + some + unit + by}.`,
  ];
}

function notInItLines({ plays, weight, sharesWith, openCalls }: ForecastReport): string[] {
  return [
    ...(weight > 1 ? [`  One of ${weight} people was played, in ${counted(plays, 'play')}.`] : []),
    ...(sharesWith.length === 0
      ? []
      : [`  Not in it: ${someOf(sharesWith, 3)} may take slots of the same service.`]),
    ...(openCalls === 0 ? [] : [`  Not in it: ${counted(openCalls, 'call')} in progress now.`]),
  ];
}

export function priceText(by: ForeseenPrice['by']): string {
  if (by === 'campaign') return 'as the calls of this campaign have cost so far';
  return `at ${USUAL_PER_MINUTE} a begun minute, as no call of this campaign has shown a cost`;
}

/** A count of a forecast, which may be a fraction. */
const whole = (count: number) => grouped(Math.round(count));

/** `3`, or `3 (2 to 4)`. */
function rangeText({ low, middle, high }: Range, text: (value: number) => string): string {
  const [from, usual, to] = [text(low), text(middle), text(high)];
  return from === to ? usual : `${usual} (${from} to ${to})`;
}

/** When it would be finished, or why it would not be. */
export function endLine(report: Rehearsal): string {
  const { end, people, nights, finishedAt, timezone } = report;
  if (people === 0) {
    const bring = `callsheet import ${shellWord(report.campaign)}`;
    return `Nobody waits to be called: bring a list in with \`${bring} LIST\`, or what is in a folder with \`${bring} CAMPAIGN-FILE\`; both call nobody.`;
  }
  const calls = nights.reduce((sum, night) => sum + night.calls, 0);
  const reached = nights.reduce((sum, night) => sum + night.reached, 0);
  const what = `${counted(nights.length, 'night')}, ${counted(calls, 'call')}, ${counted(reached, 'person', 'people')} reached`;
  if (finishedAt !== null) return `${what}; finished ${localOf(finishedAt)} ${timezone}.`;
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
export function neverLines({ neverCalled, shut, campaign }: Rehearsal): string[] {
  const shutOut = shut.reduce((sum, { people }) => sum + people, 0);
  const waiting = neverCalled.filter(({ result }) => result === null);
  const others = waiting.reduce((sum, { people }) => sum + people, 0) - shutOut;
  const are = (people: number) => counted(people, 'person is', 'people are');
  const ended = neverCalled.flatMap(({ result, why, people }) =>
    result === null
      ? []
      : [`${are(people)} never called: ${result}${why === null ? '' : `, e.g. ${why}`}.`],
  );
  const [first] = waiting;
  const why = first?.why == null ? '' : `, e.g. ${first.why}`;
  return [
    ...ended,
    ...shutLines(shut, campaign),
    ...(others > 0 ? [`${are(others)} not called by the end of the rehearsal${why}.`] : []),
  ];
}

/** What to change so that it takes fewer nights, with the command that does it. */
export function adviceLines(report: Rehearsal): string[] {
  const { better, concurrency, nights, maxCalls, service, stored, campaign, triedAll } = report;
  const limit =
    maxCalls !== null && concurrency >= maxCalls && nights.length > 1
      ? [
          `Service ${service} takes ${counted(maxCalls, 'call')} at once (maxCalls): a higher concurrency changes nothing.`,
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
