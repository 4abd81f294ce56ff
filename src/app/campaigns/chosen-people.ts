import { invalidFlag } from '../../config/campaign-file.ts';
import { CALLABLE_AGAIN, type CallableAgain, type NotRetried } from '../../domain/calling/retry.ts';
import type { E164 } from '../../domain/phone.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Campaign, PersonRow, RetriedLead, RetryQuery } from '../../store/port.ts';
import { nearest } from '../../text/nearest.ts';
import { counted, shellWord } from '../../text/wording.ts';
import { dayIn } from '../../text/wall-clock.ts';
import type { Retried } from '../../views/campaigns.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import { batchesOf } from '../plan/called-before.ts';
import { isLive } from '../resolve/resolve.ts';
import { requireConfirmed } from '../typed.ts';
import { everybody, type Among } from '../watch/people.ts';
import { historyEntry, type World } from '../world.ts';

interface RetryRequest extends CampaignRequest {
  /** As typed: `no_answer`, or several with commas. */
  results: readonly string[];
  /** Default: everybody with one of these results. */
  among?: Among | undefined;
  /** This person alone. */
  only?: E164;
  yes: boolean;
  /** Asks on services that call nobody, too. */
  always?: boolean | undefined;
  services: string | undefined;
}

/**
 * Lets people who are done with one of these results be called again in their campaign. They wait like people who were
 * just imported; the claim decides as ever whether and when each of them is called.
 */
export function retryPeople(request: RetryRequest, world: World): Promise<Retried> {
  const results = readResults(request.results);
  return withCampaign(request, world, 'write', async (open) => {
    const { store, campaign } = open;
    const { id, name } = campaign;
    refuseRetry(campaign, world);
    const { among, only } = request;
    const chosen = only === undefined ? among && shownChoice(among) : { phone: only };
    const choice = { results, ...(chosen && { among: chosen }) };
    let query: RetryQuery = { results, upTo: null, now: world.clock.now() };
    // One person needs no going on: who was called since is left out.
    const upTo = only === undefined ? await interruptedAt(open, results) : null;
    const found: RetriedLead[] = [];
    let newest = upTo;
    for await (const phones of only === undefined ? phonesOf(open, among, results) : [[only]]) {
      const page = await store.mayRetry(id, phones, { ...query, upTo });
      newest ??= page.newest;
      for (const lead of page.leads) found.push(lead);
    }
    const preview = retriedOf(found, campaign);
    const over = (people: number) =>
      store.addHistory(
        id,
        historyEntry(world, 'campaign.retried', { ...choice, people, calls: preview.calls }),
      );
    tellRetry(preview, world);
    if (preview.people === 0) {
      // The one that was interrupted has nobody left: the next one is a new one.
      if (upTo !== null) await over(0);
      return preview;
    }
    const asks = request.always === true || isLive(open, request.services);
    if (!request.yes && asks) await ask(preview.people, 'call them again', world);
    const begun = { ...choice, upTo: newest };
    await store.addHistory(id, historyEntry(world, 'campaign.retryBegun', begun));
    query = { ...query, upTo: newest, now: world.clock.now() };
    const done = found.filter(({ not }) => not !== null);
    const left = done.length;
    // Those who were counted, and nobody who came since.
    const meant = found.flatMap(({ phone, not }) => (not === null ? phone : []));
    for await (const phones of inTurns(meant, world)) {
      for (const lead of await store.retryLeads(id, phones, query)) done.push(lead);
      if (world.underway !== undefined)
        world.underway.kept = `${done.length - left} of ${counted(preview.people, 'person', 'people')} wait again`;
    }
    const { state } = (await store.findCampaign(name)) ?? campaign;
    const retried = retriedOf(done, { ...campaign, state });
    await over(retried.people);
    const wait = retried.people === 1 ? 'waits' : 'wait';
    const who = counted(retried.people, 'person', 'people');
    world.tell(`${who} of "${name}" ${wait} again. ${nextStep(retried)}`);
    return retried;
  });
}

/** What is done with many at once. */
export const MANY = ['retry', 'suppress', 'withdraw'] as const;

interface ManyRequest extends CampaignRequest {
  does: (typeof MANY)[number];
  among: Among;
  services: string | undefined;
}

/**
 * Does something with all people who match, after a question that says how many they are.
 *
 * @returns with how many it was done
 */
export async function changeMany(request: ManyRequest, world: World): Promise<{ people: number }> {
  const { does, among } = request;
  if (does === 'retry') {
    const { result = '' } = among;
    const results = result === '' ? CALLABLE_AGAIN : [result];
    const { people } = await retryPeople({ ...request, results, yes: false, always: true }, world);
    return { people };
  }
  return withCampaign(request, world, 'write', async (open) => {
    const { store, campaign } = open;
    const isMeant = ({ state }: PersonRow) => does === 'suppress' || state !== 'done';
    // Those who were counted, and nobody who came since.
    const meant: E164[] = [];
    for await (const rows of everybody(among, open))
      for (const { phone } of rows.filter(isMeant)) meant.push(phone);
    const who = counted(meant.length, 'person', 'people');
    world.tell(`${who} of "${campaign.name}": ${MEANS[does]}.`);
    if (meant.length === 0) return { people: 0 };
    await ask(meant.length, `${does} them`, world);
    let people = 0;
    for await (const phones of inTurns(meant, world))
      for (const phone of phones) {
        if (does === 'suppress') await suppressAll(phone, open);
        else {
          const entry = historyEntry(world, 'lead.cancelled', { phone });
          const outcome = await store.cancelLead(campaign.id, phone, entry);
          if (outcome === 'done' || outcome === 'not_found') continue;
        }
        people += 1;
      }
    world.tell(`Done with ${counted(people, 'person', 'people')}.`);
    return { people };
  });
}

const MEANS = {
  suppress: 'no campaign would call any of their numbers any more',
  withdraw: 'this campaign would not call them any more; others still may',
} as const;

async function suppressAll(phone: E164, { store, campaign, world }: OpenCampaign): Promise<void> {
  const [lead] = await store.findLeads(phone, 1, campaign.id);
  const entry = {
    at: world.clock.now(),
    source: 'operator' as const,
    who: world.user,
    expiresAt: null,
    note: `among many of "${campaign.name}"`,
  };
  const numbers = [phone, ...(lead?.furtherNumbers ?? [])];
  await store.suppress(numbers.map((one) => ({ ...entry, phone: one })));
}

function readResults(typed: readonly string[]): CallableAgain[] {
  const words = typed.flatMap((text) => text.split(',')).map((word) => word.trim());
  const allowed = `it takes ${CALLABLE_AGAIN.join(', ')}, one or several with commas`;
  const other = words.find((word) => word !== '' && !CALLABLE_AGAIN.some((each) => each === word));
  if (other !== undefined) {
    const near = nearest(other, CALLABLE_AGAIN);
    const why = 'people are called again only where nobody spoke and nobody refused';
    const not =
      near === undefined ? `allowed: ${why}; ${allowed}.` : `a result; did you mean ${near}?`;
    throw invalidFlag(`--results "${other}" is not ${not}`);
  }
  const results = CALLABLE_AGAIN.filter((result) => words.includes(result));
  if (results.length === 0)
    throw invalidFlag(`Give --results, e.g. --results no_answer,busy: ${allowed}.`);
  return results;
}

/** Why `retryPeople` would not take a person who is done, as a clause; null: it would. */
export async function whyNotRetried(
  { store, campaign, world }: OpenCampaign,
  { phone, result }: Pick<PersonRow, 'phone' | 'result'>,
): Promise<string | null> {
  const again = CALLABLE_AGAIN.find((one) => one === result);
  if (again === undefined) return 'only people whom nobody reached and who refused nothing are';
  const [whole] = retryRefusal(campaign, world) ?? [];
  if (whole !== undefined) return `of the campaign: ${whole}`;
  const query = { results: [again], upTo: null, now: world.clock.now() };
  const { leads } = await store.mayRetry(campaign.id, [phone], query);
  return leads[0]?.not == null ? null : WHY[leads[0].not];
}

function refuseRetry(campaign: Campaign, world: World): void {
  const refusal = retryRefusal(campaign, world);
  if (refusal === undefined) return;
  const [why, hint] = refusal;
  const refused = `Nobody of "${campaign.name}" is called again: ${why}.`;
  throw usageError('RETRY_NOT_ALLOWED', refused, hint);
}

/** Why nobody of a campaign is called again, and what to do; undefined: they may be. */
function retryRefusal(
  { name, state, archivedAt, settings }: Campaign,
  world: World,
): [why: string, hint: string] | undefined {
  const word = shellWord(name);
  if (archivedAt !== undefined)
    return ['it is archived', `\`callsheet cancel ${word} --archive --undo\` takes it back`];
  if (state === 'cancelled')
    return ['it is cancelled', `\`callsheet cancel ${word} --undo\` takes that back`];
  const { retry, timezone } = settings;
  const lastDay = retry?.lastDay ?? null;
  if (lastDay !== null && dayIn(timezone, world.clock.now()) > lastDay)
    return [
      `retry.lastDay ${lastDay} has passed`,
      `\`callsheet set ${word} retry.lastDay=none\` allows it, or a later day`,
    ];
  return undefined;
}

/** The choice as the history keeps it, without those it leaves open. */
function shownChoice({ list, state, result, zone, sentiment, text, people }: Among) {
  return { list, state, result, zone, sentiment, text, people };
}

/**
 * The attempt up to which people with one of these results were being let wait when a process died: those called
 * after it may have been let wait by it already. Null: all came to their end.
 */
async function interruptedAt({ store, campaign }: OpenCampaign, results: readonly string[]) {
  type Begun = { results: string[]; among?: object; upTo: string | null };
  const shares = (one: Begun, others: readonly string[]) =>
    one.results.some((result) => others.includes(result));
  const covers = (of: Begun, one: Begun) =>
    one.results.every((result) => of.results.includes(result)) &&
    (of.among === undefined || JSON.stringify(of.among) === JSON.stringify(one.among));
  let open: Begun[] = [];
  for (const { what, detail } of await store.history(campaign.id)) {
    const of = detail as unknown as Begun;
    if (what === 'campaign.retryBegun') open.push(of);
    if (what === 'campaign.retried') open = open.filter((one) => !covers(of, one));
  }
  return open.find((one) => shares(one, results))?.upTo ?? null;
}

async function* phonesOf(
  open: OpenCampaign,
  among: Among | undefined,
  results: readonly CallableAgain[],
) {
  const reader = { who: open.world.user, transcripts: true };
  for (const result of results) {
    if (among?.result !== undefined && among.result !== '' && among.result !== result) continue;
    for await (const rows of everybody({ reader, ...among, result }, open))
      yield rows.map(({ phone }) => phone);
  }
}

/** Some at a time, so that others come to their turn; until it is stopped. */
async function* inTurns(phones: readonly E164[], { clock, underway }: World) {
  for (const some of batchesOf(phones, 200)) {
    // Not after the last ones: nothing is left to stop then.
    underway?.signal.throwIfAborted();
    yield some;
    await clock.sleep(0);
  }
}

/** Counts who may be called again, and who not. */
function retriedOf(leads: readonly RetriedLead[], { name, state, settings }: Campaign): Retried {
  const results = new Map<CallableAgain, number>();
  const left = new Map<NotRetried, number>();
  for (const { result, not } of leads) {
    if (not === null) results.set(result, (results.get(result) ?? 0) + 1);
    else left.set(not, (left.get(not) ?? 0) + 1);
  }
  return {
    ...{ campaign: name, state, calls: settings.retry?.attempts ?? 1 },
    people: leads.length - [...left.values()].reduce((sum, people) => sum + people, 0),
    results: [...results].map(([result, people]) => ({ result, people })),
    left: [...left].map(([why, people]) => ({ why, people })),
  };
}

const WHY: Readonly<Record<NotRetried | 'waits', string>> = {
  waits: 'still to be called by their campaign',
  suppressed: 'suppressed',
  withdrawn: 'withdrawn',
  stopped: 'kept out by a list',
  in_doubt: 'perhaps reached by a call whose result is not known',
  no_number: 'without a number that exists',
  called_since: 'called again meanwhile',
};

function tellRetry({ campaign, people, results, left, calls }: Retried, world: World): void {
  const by = results.map((one) => `${one.people} ${one.result}`).join(', ');
  const each = calls === 1 ? 'once more' : `up to ${calls} times more (retry.attempts)`;
  world.tell(
    people === 0
      ? `Nobody in "${campaign}" can be called again for that.`
      : `${counted(people, 'person', 'people')} of "${campaign}" may be called again (${by}), each ${each}, within hours, rules, caps and budgets.`,
  );
  if (left.length > 0)
    world.tell(notLine('with these results', new Map(left.map((one) => [one.why, one.people]))));
}

/** How many are left out, by the reason. */
export type LeftOut = Map<keyof typeof WHY, number>;

export function notLine(who: string, left: LeftOut): string {
  const others = [...left.values()].reduce((sum, people) => sum + people, 0);
  const why = [...left].map(([not, people]) => `${people} ${WHY[not]}`).join(', ');
  return `${counted(others, 'person', 'people')} ${who} ${others === 1 ? 'is' : 'are'} not: ${why}.`;
}

/** @param does what is done, e.g. `call them again`; @throws AppError `NOT_CONFIRMED` (exit 2) */
function ask(people: number, does: string, world: World): Promise<void> {
  return requireConfirmed(world, {
    word: `yes ${people}`,
    question: `Type yes ${people} to ${does}:`,
    needed: `For ${counted(people, 'person', 'people')}, to ${does} needs a yes`,
    undone: 'nothing was changed',
  });
}

function nextStep({ campaign, state }: Retried): string {
  const word = shellWord(campaign);
  if (state === 'running')
    return `\`callsheet run ${word}\` calls them, or \`callsheet serve\` at its time.`;
  const next = state === 'paused' ? 'resume' : 'run';
  return `The campaign is ${state} and calls nobody yet: \`callsheet ${next} ${word}\`.`;
}
