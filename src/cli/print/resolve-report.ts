import type { ResolveReport } from '../../app/resolve/resolve.ts';
import { aboutDoubts, refusalText, settledLines } from '../../app/sentences/resolve-lines.ts';
import { nameIn } from '../../results/person-name.ts';
import { EXIT } from '../../runtime/errors.ts';
import type { Campaign, Doubt, List } from '../../store/port.ts';
import { localTime } from '../../text/local-time.ts';
import { shellWord } from '../../text/shell-word.ts';
import { zonedTime } from '../../text/zoned-time.ts';
import type { Outcome } from './outcome.ts';

/** The doubts, or how each was settled; exit 5 when one of them could not be settled. */
export function resolveOutcome(report: ResolveReport): Outcome {
  if (report.is === 'listed') return listed(report);
  const { campaign, settled, refused, stillInDoubt, undecided } = report;
  return {
    json: {
      settled: settled.map(({ doubt, as }) => ({ ...idsOf(doubt), as })),
      refused: refused.map(({ doubt, as, refusal }) => {
        return { ...idsOf(doubt), why: refusalText(refusal, as, campaign) };
      }),
      stillInDoubt,
    },
    told: settledLines(report),
    code: refused.length + undecided === 0 ? EXIT.ok : EXIT.person,
  };
}

const idsOf = ({ line, phone, attemptId }: Doubt) => ({ line, phone, attempt: attemptId });

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

function whatToDo(count: number, campaign: Campaign): string[] {
  const resolve = `callsheet resolve ${shellWord(campaign.name)}`;
  const ways = [
    ['--lead NUMBER --as placed --call-id ID', 'it was made: its results are fetched'],
    ['--lead NUMBER --as not-placed', 'it was not made: the person is called again'],
    ['--all --as unconfirmed --note TEXT', 'nobody can tell: it stays as it is'],
    ['--from calls.csv', "finds the calls in the service's own log"],
  ] as const;
  return [
    `${aboutDoubts(count, campaign)}:`,
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
