import { nameIn } from '../../results/person-name.ts';
import { zonedTime } from '../../text/zoned-time.ts';
import type { Campaign, Doubt, List } from '../../store/port.ts';
import type { Io } from '../io.ts';
import { localTime } from '../../text/local-time.ts';
import { printJson, printTable, say } from '../terminal/output.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';

/** Shows calls in doubt with all that is needed to look them up at the service. */
export function listDoubts(
  doubts: readonly Doubt[],
  { campaign, lists, json }: { campaign: Campaign; lists: readonly List[]; json: boolean },
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
