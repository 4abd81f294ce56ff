import { plainMobile } from '../../domain/same-call.ts';
import { resolve as resolvePath } from 'node:path';

import { matchLog, refusalOf, type Resolution } from '../../domain/resolution.ts';
import { readCallLog } from '../../leads/call-log.ts';
import { nameIn } from '../../results/columns.ts';
import { usageError, type AppError } from '../../runtime/errors.ts';
import { isGone, isLoopback } from '../../runtime/process.ts';
import type { Campaign, Doubt, List } from '../../store/port.ts';
import { timesIn } from '../../text/times.ts';
import { counted, shellWord } from '../../text/wording.ts';
import type { Doubt as DoubtView, Doubts, SettledDoubts } from '../../views/calls.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import { aboutDoubts, callOf, refusalText, whyNotAs } from '../sentences/resolve-lines.ts';
import { namedAs } from '../plan/plan-lists.ts';
import { knownServices } from '../services/service.ts';
import { readLeadPhone, requireConfirmed } from '../typed.ts';
import type { World } from '../world.ts';

type Which = { all: true } | { lead: string } | { attempts: readonly string[] };

export interface ResolveRequest extends CampaignRequest, SettleOptions {
  /** Which doubts are settled, and how; `lead` is a number, an attempt id or an external id. */
  settle:
    | { which: Which; as: Decision['settle'] }
    /** By the service's call log at this path; under which name it was sent, if it was: it is asked about first. */
    | { from: string; sentAs?: string };
}

/**
 * The calls of a campaign that are in doubt: they may or may not have been made.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN` (exit 2)
 */
export function listDoubts(
  request: CampaignRequest & Pick<SettleOptions, 'services'>,
  world: World,
): Promise<{ campaign: Campaign; doubts: Doubts }> {
  return withCampaign(request, world, 'write', async (open) => {
    const { store, campaign } = open;
    const lists = await store.lists(campaign.id);
    const view = doubtViews(campaign, lists, world.clock.now());
    const items = (await unsettledIn(open)).map(view);
    const about = items.length === 0 ? null : `${aboutDoubts(items.length, campaign)}.`;
    const needsYes = isLive(open, request.services);
    return { campaign, doubts: { items, next: null, about, needsYes } };
  });
}

function doubtViews(campaign: Campaign, lists: readonly List[], now: number) {
  const time = timesIn(campaign.settings.timezone);
  return (doubt: Doubt): DoubtView => {
    const { attemptId, phone, line, state, service, key, callId, accepted, detail } = doubt;
    const list = lists.find(({ number }) => number === doubt.list);
    const why = (as: Resolution) => whyNotAs(doubt, as, { campaign, now });
    return {
      ...{ attempt: attemptId, person: `${doubt.list}-${line}`, phone },
      ...{ name: nameIn(list, doubt.cells), list: doubt.list, listPath: list?.path ?? null, line },
      ...{ state, service, externalId: key, callId, answered2xx: accepted, whatFailed: detail },
      sentAt: time(doubt.intentAt),
      heldUntil: time(doubt.holdsUntil),
      refusals: {
        placed: why('placed'),
        not_placed: why('not_placed'),
        unconfirmed: why('unconfirmed'),
      },
    };
  };
}

/** Those that nobody has settled. A call whose process has died is in doubt, even if no run has noticed that yet. */
async function unsettledIn(open: OpenCampaign): Promise<Doubt[]> {
  await sweepOnce(open);
  return (await open.store.doubts(open.campaign.id)).filter(
    ({ resolution }) => resolution === null,
  );
}

/**
 * Settles calls in doubt. Nothing is dialled.
 *
 * @throws AppError `NOT_CONFIRMED`, `PHONE_INVALID`, `NOT_IN_DOUBT`, `LEAD_AMBIGUOUS`, those of `decideByLog` (exit 2)
 */
export function resolveDoubts(
  request: ResolveRequest,
  world: World,
): Promise<{ campaign: Campaign; report: SettledDoubts }> {
  return withCampaign(request, world, 'write', async (open) => {
    const { store, campaign } = open;
    const { settle, note } = request;
    const unsettled = await unsettledIn(open);
    if ('from' in settle) {
      const { from, sentAs } = settle;
      if (unsettled.length === 0) world.tell(`No call of "${campaign.name}" is in doubt.`);
      const file = resolvePath(world.cwd, from);
      const decisions = await decideByLog({ file, path: sentAs ?? file }, unsettled, open);
      if (sentAs !== undefined && !request.yes && decisions.length > 0)
        await requireConfirmed(world, {
          question: `Type yes to settle ${decisions.length} of ${counted(unsettled.length, 'call')} in doubt as made:`,
          needed: 'To settle calls by a log that was sent needs a yes',
          undone: 'nothing was settled',
        });
      const options = { ...request, note: note ?? `found in ${sentAs ?? from}` };
      const report = await settleDoubts(decisions, options, open);
      return { campaign, report: { ...report, undecided: unsettled.length - decisions.length } };
    }
    const { which, as } = settle;
    const all = await store.doubts(campaign.id);
    const attempts = 'attempts' in which ? new Set(which.attempts) : null;
    const chosen =
      'lead' in which
        ? [chooseDoubt(which.lead, all, campaign)]
        : unsettled.filter(({ attemptId }) => attempts?.delete(attemptId) ?? true);
    const decisions = chosen.map((doubt) => ({ doubt, settle: as }));
    const report = await settleDoubts(decisions, request, open);
    for (const attempt of attempts ?? []) report.refused.push(overBefore(attempt, as, all));
    return { campaign, report };
  });
}

/** A call that was settled or had its result before the user of a page asked to settle it. */
function overBefore(attempt: string, { as }: Decision['settle'], all: readonly Doubt[]) {
  const doubt = all.find(({ attemptId }) => attemptId === attempt);
  const { line = null, phone = null, resolution } = doubt ?? {};
  const why = resolution
    ? `${resolution.by} has settled it already`
    : 'it is not in doubt any more';
  return { attempt, line, phone, as, why };
}

async function sweepOnce({ store, campaign: { id, settings }, world }: OpenCampaign) {
  const gone = (await store.intentOwners(id)).filter((owner) => isGone(owner, world.owner));
  await store.sweep({ campaignId: id, now: world.clock.now(), settings, gone });
}

/**
 * Finds one call in doubt by number, attempt id or external id, including one that was settled before.
 *
 * @throws AppError `PHONE_INVALID`, `NOT_IN_DOUBT`, `LEAD_AMBIGUOUS` (exit 2)
 */
export function chooseDoubt(text: string, doubts: readonly Doubt[], campaign: Campaign): Doubt {
  const named = doubts.find(({ attemptId, key }) => attemptId === text || key === text);
  if (named !== undefined) return named;
  if (/^a\d+$/.test(text)) throw notInDoubt(`attempt ${text}`, campaign);
  const listed = `\`callsheet resolve ${shellWord(campaign.name)}\` lists`;
  const phone = readLeadPhone(text, campaign, `give the ${NAMES} of a call that ${listed}`);
  const theirs = doubts.filter((doubt) => doubt.phone === phone);
  const open = theirs.filter(({ resolution }) => resolution === null);
  if (open.length > 1) {
    const ids = open.map(({ attemptId }) => attemptId).join(', ');
    const message = `${phone} has ${open.length} calls in doubt: ${ids}.`;
    throw usageError('LEAD_AMBIGUOUS', message, 'give the attempt with --lead');
  }
  const doubt = open[0] ?? theirs.at(-1);
  if (doubt === undefined) throw notInDoubt(`a call to ${phone}`, campaign);
  return doubt;
}

const NAMES = 'number, attempt id or external id';

function notInDoubt(what: string, { name }: Campaign): AppError {
  const message = `"${name}" is not in doubt about ${what}; give the ${NAMES} of a call that is in doubt.`;
  return usageError('NOT_IN_DOUBT', message, `\`callsheet resolve ${shellWord(name)}\` lists them`);
}

/** One doubt, and how it is to be settled. */
export interface Decision {
  doubt: Doubt;
  settle: { as: 'placed'; callId: string } | { as: 'not_placed' | 'unconfirmed' };
}

export interface SettleOptions {
  /** The reason, for the history. */
  note: string | null;
  /** Skips the question before people may be called a second time; a number: for at most so many people. */
  yes: boolean | number;
  /** The file that names services. */
  services: string | undefined;
}

/**
 * Settles doubts one by one, after a typed `yes N` if people may be called a second time.
 *
 * @throws AppError `NOT_CONFIRMED` (exit 2)
 */
async function settleDoubts(
  decisions: readonly Decision[],
  options: SettleOptions,
  open: OpenCampaign,
): Promise<SettledDoubts> {
  const { store, campaign, world } = open;
  await askForSecondCalls(decisions, options, open);
  const settled: SettledDoubts['settled'] = [];
  const refused: SettledDoubts['refused'] = [];
  for (const { doubt, settle } of decisions) {
    const { as } = settle;
    const record = { ...settle, at: world.clock.now(), by: world.user, note: options.note };
    const answer = await store.resolve(doubt.attemptId, record);
    const { attemptId: attempt, line, phone } = doubt;
    if (answer.kind === 'resolved') settled.push({ attempt, line, phone, as });
    else {
      const why = refusalText(answer.refusal, as, campaign);
      refused.push({ attempt, line, phone, as, why });
    }
  }
  const left = (await store.doubts(campaign.id)).filter(({ resolution }) => resolution === null);
  return { settled, refused, undecided: 0, stillInDoubt: left.length };
}

/** Asks only about people who will wait again; on a live service their number has to be typed. */
async function askForSecondCalls(
  decisions: readonly Decision[],
  { yes, services }: SettleOptions,
  open: OpenCampaign,
): Promise<void> {
  const { world } = open;
  const now = world.clock.now();
  const people = decisions.filter(
    ({ doubt, settle }) =>
      settle.as === 'not_placed' &&
      refusalOf({ ...doubt, resolution: doubt.resolution?.as ?? null }, 'not_placed', now) === null,
  ).length;
  if (people === 0) return;
  const who = counted(people, 'person', 'people');
  world.tell(
    `${who} may be called a second time: where the service did place the call, the next run repeats it.`,
  );
  if (typeof yes === 'number' ? people <= yes : yes) return;
  if (!isLive(open, services)) return;
  if (await world.confirm(`Type yes ${people} to let them be called again:`, `yes ${people}`))
    return;
  throw usageError(
    'NOT_CONFIRMED',
    'Not confirmed: nothing was settled.',
    world.attended
      ? `run it again and type yes ${people}, in full`
      : 'run it on a terminal, or give --yes',
  );
}

/** Whether the service calls real people; one that is not configured any more is assumed to. */
export function isLive({ campaign, world }: OpenCampaign, services: string | undefined): boolean {
  const { simulated, service } = campaign;
  if (simulated) return false;
  const entry = service.includes('://')
    ? service
    : knownServices({ services }, world).entries.get(service)?.url;
  return entry === undefined || !isLoopback(new URL(entry).hostname);
}

/**
 * Compares the doubts with a provider's own log of calls: a call that the log has exactly once was placed. All other
 * doubts are reported and stay as they are.
 *
 * @throws AppError those of `readCallLog`
 */
async function decideByLog(
  { file, path }: { file: string; path: string },
  doubts: readonly Doubt[],
  { campaign, world }: OpenCampaign,
) {
  const of = new Set(doubts.map(({ phone }) => plainMobile(phone)));
  const log = await namedAs({ path, file }, () => readCallLog(file, campaign.settings.country, of));
  world.tell(`${path}: ${counted(log.read, 'call')} read.`);
  for (const problem of log.problems) world.tell(`  not read: ${problem}`);
  if (log.unread > log.problems.length)
    world.tell(`  and ${log.unread - log.problems.length} more`);
  const decisions: Decision[] = [];
  for (const match of matchLog(doubts, log.calls)) {
    const { doubt } = match;
    if (match.kind === 'matched') {
      const { callId, line } = match.call;
      world.tell(`${callOf(doubt)} is call ${callId} (${path}:${line}).`);
      decisions.push({ doubt, settle: { as: 'placed', callId } });
    } else if (match.kind === 'absent') {
      world.tell(`${callOf(doubt)} is not in the log: no call to this number began at that time.`);
    } else {
      const lines = match.lines.join(', ');
      world.tell(`${callOf(doubt)} is ambiguous: lines ${lines} fit, and only one call can be it.`);
    }
  }
  return decisions;
}
