import { callOf } from '../../app/resolve/decide-by-log.ts';
import type { ResolveReport } from '../../app/resolve/resolve.ts';
import type { Resolution, ResolutionRefusal } from '../../domain/resolution.ts';
import { nameIn } from '../../results/person-name.ts';
import { EXIT } from '../../runtime/errors.ts';
import type { Campaign, Doubt, List } from '../../store/port.ts';
import { localTime } from '../../text/local-time.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { zonedTime } from '../../text/zoned-time.ts';
import type { Outcome } from './outcome.ts';

/** The doubts, or how each was settled; exit 5 when one of them could not be settled. */
export function resolveOutcome(report: ResolveReport): Outcome {
  if (report.is === 'listed') return listed(report);
  const { campaign, settled, stillInDoubt, undecided } = report;
  const refused = report.refused.map(({ doubt, as, refusal }) => {
    return { doubt, why: refusalText(refusal, as, campaign) };
  });
  const count = (as: Resolution) => settled.filter((one) => one.as === as).length;
  const word = shellWord(campaign.name);
  const told = [
    ...settled.map(({ doubt, as }) => `${callOf(doubt)}: ${DONE[as]}.`),
    ...refused.map(({ doubt, why }) => `${callOf(doubt)} is not settled: ${why}.`),
  ];
  if (count('placed') > 0) told.push(`\`callsheet collect ${word}\` brings their results in.`);
  if (count('not_placed') > 0) {
    const who = counted(count('not_placed'), 'person', 'people');
    told.push(
      campaign.state === 'cancelled'
        ? 'The campaign is cancelled: nobody is called again.'
        : `\`callsheet run ${word}\` calls ${who} again.`,
    );
  }
  const are = stillInDoubt === 1 ? 'is' : 'are';
  told.push(
    stillInDoubt === 0
      ? `No call of "${campaign.name}" is in doubt any more.`
      : `${counted(stillInDoubt, 'call')} ${are} still in doubt; \`callsheet resolve ${word}\`.`,
  );
  return {
    json: {
      settled: settled.map(({ doubt, as }) => ({ ...idsOf(doubt), as })),
      refused: refused.map(({ doubt, why }) => ({ ...idsOf(doubt), why })),
      stillInDoubt,
    },
    told,
    code: refused.length + undecided === 0 ? EXIT.ok : EXIT.person,
  };
}

const DONE: Readonly<Record<Resolution, string>> = {
  placed: 'the call was made, and its results are fetched',
  not_placed: 'the call was not made; the person waits again',
  unconfirmed: 'nobody can tell; it stays unconfirmed and nobody is called again for it',
};

const idsOf = ({ line, phone, attemptId }: Doubt) => ({ line, phone, attempt: attemptId });

/** Why a doubt cannot be settled in the requested way, and what can be done. */
function refusalText(refusal: ResolutionRefusal, as: Resolution, { settings }: Campaign): string {
  switch (refusal.why) {
    case 'not_in_doubt':
      return `the attempt is ${refusal.state}, which is not in doubt`;
    case 'too_early':
      return `the call may still be on the line; --as not-placed is possible from ${localTime(refusal.until, settings.timezone)}`;
    case 'accepted':
      return 'the service answered the dial with a 2xx, so it took the call; settle it with --as placed --call-id ID, or --as unconfirmed';
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

/** Lists doubts with everything that is needed to find the calls at the service. */
function listed({ doubts, campaign, lists }: ResolveReport & { is: 'listed' }): Outcome {
  const json = doubts.map((doubt) => viewOf(doubt, campaign, lists));
  if (doubts.length === 0) return { json, hints: [`No call of "${campaign.name}" is in doubt.`] };
  const { timezone } = campaign.settings;
  const hasNames = json.some(({ name }) => name !== null);
  const rows = doubts.map((doubt, i) => [
    doubt.line,
    ...(hasNames ? [json[i]?.name ?? null] : []),
    doubt.phone,
    doubt.key,
    doubt.attemptId,
    localTime(doubt.intentAt, timezone),
    localTime(doubt.holdsUntil, timezone),
    doubt.detail,
  ]);
  return {
    json,
    table: [['LINE', ...(hasNames ? ['NAME'] : []), ...HEADERS], rows],
    hints: whatToDo(doubts.length, campaign),
  };
}

const HEADERS = ['NUMBER', 'EXTERNAL ID', 'ATTEMPT', 'SENT', 'SLOT HELD UNTIL', 'WHAT FAILED'];

function whatToDo(count: number, { name, service }: Campaign): string[] {
  const resolve = `callsheet resolve ${shellWord(name)}`;
  const calls = count === 1 ? 'a call was' : `${counted(count, 'call')} were`;
  const ways = [
    ['--lead NUMBER --as placed --call-id ID', 'it was made: its results are fetched'],
    ['--lead NUMBER --as not-placed', 'it was not made: the person is called again'],
    ['--all --as unconfirmed --note TEXT', 'nobody can tell: it stays as it is'],
    ['--from calls.csv', "finds the calls in the service's own log"],
  ] as const;
  return [
    `It is not known whether ${calls} made; nobody is called again for it. Look the number and the time up at ${service}, or the external id where it keeps that, and settle each:`,
    ...ways.flatMap(([command, what]) => [`  ${resolve} ${command}`, `      ${what}`]),
  ];
}

function viewOf(doubt: Doubt, { settings }: Campaign, lists: readonly List[]) {
  const time = zonedTime(settings.timezone);
  const list = lists.find(({ number }) => number === doubt.list);
  const { line, phone, key, attemptId, callId, state, detail, accepted, service } = doubt;
  return {
    line,
    list: list?.path ?? null,
    name: nameIn(list, doubt.cells),
    phone,
    externalId: key,
    attempt: attemptId,
    state,
    service,
    callId,
    sentAt: time(doubt.intentAt),
    slotHeldUntil: time(doubt.holdsUntil),
    answered2xx: accepted,
    whatFailed: detail,
  };
}
