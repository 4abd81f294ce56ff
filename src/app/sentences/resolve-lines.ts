import { refusalOf, type Resolution, type ResolutionRefusal } from '../../domain/resolution.ts';
import type { Campaign, Doubt } from '../../store/port.ts';
import { localTime } from '../../text/times.ts';
import { counted, shellWord } from '../../text/wording.ts';
import type { SettledDoubts } from '../../views/calls.ts';

/** What was settled, what was not and why, and what comes next. */
export function settledLines(report: SettledDoubts, campaign: Campaign): string[] {
  const { stillInDoubt } = report;
  const are = stillInDoubt === 1 ? 'is' : 'are';
  return [
    ...report.settled.map(({ attempt, as, ...call }) => {
      return `${callOf({ ...call, attemptId: attempt })}: ${DONE[as]}.`;
    }),
    ...report.refused.map(({ attempt, why, ...call }) => {
      return `${callOf({ ...call, attemptId: attempt })} is not settled: ${why}.`;
    }),
    ...nextLines(report, campaign),
    stillInDoubt === 0
      ? `No call of "${campaign.name}" is in doubt any more.`
      : `${counted(stillInDoubt, 'call')} ${are} still in doubt; \`callsheet resolve ${shellWord(campaign.name)}\`.`,
  ];
}

/** What comes next. */
export function nextLines({ settled }: SettledDoubts, campaign: Campaign): string[] {
  const count = (as: Resolution) => settled.filter((one) => one.as === as).length;
  const word = shellWord(campaign.name);
  const lines: string[] = [];
  if (count('placed') > 0) lines.push(`\`callsheet collect ${word}\` brings their results in.`);
  if (count('not_placed') > 0) {
    const who = counted(count('not_placed'), 'person', 'people');
    const { state, pauseReason } = campaign;
    const run = `\`callsheet run ${word}\` calls ${who} again`;
    lines.push(
      state === 'cancelled'
        ? 'The campaign is cancelled: nobody is called again.'
        : pauseReason === 'operator'
          ? `The campaign is paused: ${run} after \`callsheet resume ${word}\`.`
          : `${run}.`,
    );
  }
  return lines;
}

const DONE: Readonly<Record<Resolution, string>> = {
  placed: 'the call was made, and its results are fetched',
  not_placed: 'the call was not made',
  unconfirmed: 'nobody can tell; it stays unconfirmed and nobody is called again for it',
};

/** The name of a call in messages: `line 3 +12125550101 (a2)`. */
export function callOf(call: {
  line: number | null;
  phone: string | null;
  attemptId: string;
}): string {
  const { line, phone, attemptId } = call;
  return line === null ? `the call ${attemptId}` : `line ${line} ${phone} (${attemptId})`;
}

/** Why a doubt cannot be settled in the requested way, and what can be done, as a clause. */
export function refusalText(
  refusal: ResolutionRefusal,
  as: Resolution,
  { settings }: Campaign,
): string {
  switch (refusal.why) {
    case 'not_in_doubt':
      return `the attempt is ${refusal.state}, which is not in doubt`;
    case 'too_early':
      return `the call may still be on the line; it can be settled as not placed from ${localTime(refusal.until, settings.timezone)}`;
    case 'accepted':
      return 'the service answered the dial with a 2xx, so it took the call; settle it as placed with its call id, or as unconfirmed';
    case 'called_again':
      return as === 'unconfirmed'
        ? 'the person was called again since, which cannot be taken back'
        : 'the person was called again since';
    case 'person_done':
      return `the person is done already (${refusal.result})`;
    case 'call_taken':
      return `this call id belongs to attempt ${refusal.attemptId} already`;
  }
}

/** Why a doubt cannot be settled as `as` at `now`, as a clause; null: it can, as far as is known beforehand. */
export function whyNotAs(
  doubt: Doubt,
  as: Resolution,
  { campaign, now }: { campaign: Campaign; now: number },
): string | null {
  const resolution = doubt.resolution?.as ?? null;
  const refusal = refusalOf({ ...doubt, resolution }, as, now);
  return refusal === null ? null : refusalText(refusal, as, campaign);
}

/** What it means that calls are in doubt, and where to look them up. */
export function aboutDoubts(count: number, { service }: Campaign): string {
  const calls = count === 1 ? 'a call was' : `${counted(count, 'call')} were`;
  return `It is not known whether ${calls} made; nobody is called again for it. Look the number and the time up at ${service}, or the external id where it keeps that, and settle each`;
}
