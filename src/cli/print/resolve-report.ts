import { callOf } from '../../app/resolve/decide-by-log.ts';
import type { ResolveReport } from '../../app/resolve/resolve.ts';
import type { Resolution } from '../../domain/resolution.ts';
import { nameIn } from '../../results/person-name.ts';
import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import type { Campaign, Doubt, List } from '../../store/port.ts';
import { localTime } from '../../text/local-time.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { zonedTime } from '../../text/zoned-time.ts';
import type { Io } from '../io.ts';
import { printJson, printTable, say } from '../terminal/output.ts';
import { refusalText } from './resolve-words.ts';

/** Lists the calls in doubt, or says what became of each. @returns exit 5 when one of them could not be settled */
export function printResolve(report: ResolveReport, json: boolean, io: Io): ExitCode {
  if (report.is === 'listed') {
    listDoubts(report, json, io);
    return EXIT.ok;
  }
  const { campaign, settled, stillInDoubt, undecided } = report;
  const refused = report.refused.map(({ doubt, as, refusal }) => ({
    doubt,
    why: refusalText(refusal, as, campaign),
  }));
  if (json) {
    printJson(io, {
      settled: settled.map(({ doubt, as }) => ({ ...idsOf(doubt), as })),
      refused: refused.map(({ doubt, why }) => ({ ...idsOf(doubt), why })),
      stillInDoubt,
    });
  }
  for (const { doubt, as } of settled) say(io, `${callOf(doubt)}: ${DONE[as]}.`);
  for (const { doubt, why } of refused) say(io, `${callOf(doubt)} is not settled: ${why}.`);
  const count = (as: Resolution) => settled.filter((one) => one.as === as).length;
  const word = shellWord(campaign.name);
  if (count('placed') > 0) say(io, `\`callsheet collect ${word}\` brings their results in.`);
  if (count('not_placed') > 0) {
    const who = counted(count('not_placed'), 'person', 'people');
    say(
      io,
      campaign.state === 'cancelled'
        ? 'The campaign is cancelled: nobody is called again.'
        : `\`callsheet run ${word}\` calls ${who} again.`,
    );
  }
  const are = stillInDoubt === 1 ? 'is' : 'are';
  say(
    io,
    stillInDoubt === 0
      ? `No call of "${campaign.name}" is in doubt any more.`
      : `${counted(stillInDoubt, 'call')} ${are} still in doubt; \`callsheet resolve ${word}\`.`,
  );
  return refused.length + undecided === 0 ? EXIT.ok : EXIT.person;
}

const DONE: Readonly<Record<Resolution, string>> = {
  placed: 'the call was made, and its results are fetched',
  not_placed: 'the call was not made; the person waits again',
  unconfirmed: 'nobody can tell; it stays unconfirmed and nobody is called again for it',
};

const idsOf = ({ line, phone, attemptId }: Doubt) => ({ line, phone, attempt: attemptId });

/** With all that is needed to look them up at the service. */
function listDoubts(
  { doubts, campaign, lists }: ResolveReport & { is: 'listed' },
  json: boolean,
  io: Io,
): void {
  const views = doubts.map((doubt) => viewOf(doubt, campaign, lists));
  if (json) {
    printJson(io, views);
    return;
  }
  if (doubts.length === 0) {
    say(io, `No call of "${campaign.name}" is in doubt.`);
    return;
  }
  const { timezone } = campaign.settings;
  const hasNames = views.some(({ name }) => name !== null);
  printTable(
    io,
    ['LINE', ...(hasNames ? ['NAME'] : []), ...HEADERS],
    doubts.map((doubt, i) => [
      doubt.line,
      ...(hasNames ? [views[i]?.name ?? null] : []),
      doubt.phone,
      doubt.key,
      doubt.attemptId,
      localTime(doubt.intentAt, timezone),
      localTime(doubt.holdsUntil, timezone),
      doubt.detail,
    ]),
  );
  sayWhatToDo(doubts.length, campaign, io);
}

const HEADERS = ['NUMBER', 'EXTERNAL ID', 'ATTEMPT', 'SENT', 'SLOT HELD UNTIL', 'WHAT FAILED'];

function sayWhatToDo(count: number, { name, service }: Campaign, io: Io): void {
  const resolve = `callsheet resolve ${shellWord(name)}`;
  const calls = count === 1 ? 'a call was' : `${counted(count, 'call')} were`;
  say(
    io,
    `Whether ${calls} made is not known; nobody is called again for it. Look the number and the time up at ${service}, or the external id where it keeps that, and settle each:`,
  );
  for (const [command, what] of [
    ['--lead NUMBER --as placed --call-id ID', 'it was made: its results are fetched'],
    ['--lead NUMBER --as not-placed', 'it was not made: the person is called again'],
    ['--all --as unconfirmed --note TEXT', 'nobody can tell: it stays as it is'],
    ['--from calls.csv', "finds the calls in the service's own log"],
  ] as const) {
    say(io, `  ${resolve} ${command}`);
    say(io, `      ${what}`);
  }
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
