import { refusalOf, type Resolution } from '../../domain/resolution.ts';
import { grouped } from '../../text/amounts.ts';
import { AppError, EXIT, type ExitCode } from '../../runtime/errors.ts';
import { isLoopback } from '../../service/http/address.ts';
import type { Campaign, Doubt, ResolutionRecord, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { printJson } from '../../cli/terminal/output.ts';
import { counted } from '../../text/plural.ts';
import { callOf, refusalText } from '../../cli/print/resolve-words.ts';
import { knownServices } from '../services/service.ts';
import { shellWord } from '../../text/shell-word.ts';

/** One doubt, and how it is to be settled. */
export interface Decision {
  doubt: Doubt;
  settle: { as: 'placed'; callId: string } | { as: 'not_placed' | 'unconfirmed' };
}

export interface ApplyOptions {
  store: Store;
  campaign: Campaign;
  note: string | null;
  yes: boolean;
  json: boolean;
  /** The file that names services, or undefined. */
  services: string | undefined;
}

/**
 * Settles doubts one by one, after a `yes N` where people may be called a second time, and says what became
 * of each.
 *
 * @returns exit 5 when one of them could not be settled
 * @throws AppError `NOT_CONFIRMED` (exit 2)
 */
export async function settleDoubts(
  decisions: readonly Decision[],
  options: ApplyOptions,
  world: World,
): Promise<ExitCode> {
  const { store, campaign, note } = options;
  await askForSecondCalls(decisions, options, world);
  const settled: { doubt: Doubt; as: Resolution }[] = [];
  const refused: { doubt: Doubt; why: string }[] = [];
  for (const { doubt, settle } of decisions) {
    const record: ResolutionRecord = { ...settle, at: world.clock.now(), by: world.user, note };
    const answer = await store.resolve(doubt.attemptId, record);
    if (answer.kind === 'resolved') settled.push({ doubt, as: settle.as });
    else refused.push({ doubt, why: refusalText(answer.refusal, settle.as, campaign) });
  }
  const left = (await store.doubts(campaign.id)).filter(({ resolution }) => resolution === null);
  if (options.json) {
    printJson(world.io, {
      settled: settled.map(({ doubt, as }) => ({ ...idsOf(doubt), as })),
      refused: refused.map(({ doubt, why }) => ({ ...idsOf(doubt), why })),
      stillInDoubt: left.length,
    });
  }
  for (const { doubt, as } of settled) world.tell(`${callOf(doubt)}: ${DONE[as]}.`);
  for (const { doubt, why } of refused) world.tell(`${callOf(doubt)} is not settled: ${why}.`);
  sayNext(settled, left.length, campaign, world);
  return refused.length === 0 ? EXIT.ok : EXIT.person;
}

const DONE: Readonly<Record<Resolution, string>> = {
  placed: 'the call was made, and its results are fetched',
  not_placed: 'the call was not made; the person waits again',
  unconfirmed: 'nobody can tell; it stays unconfirmed and nobody is called again for it',
};

const idsOf = ({ line, phone, attemptId }: Doubt) => ({ line, phone, attempt: attemptId });

/** Only those who will really wait again are counted; on a live service the number is to be typed. */
async function askForSecondCalls(
  decisions: readonly Decision[],
  { campaign, yes, services }: ApplyOptions,
  world: World,
): Promise<void> {
  const now = world.clock.now();
  const people = decisions.filter(
    ({ doubt, settle }) =>
      settle.as === 'not_placed' &&
      refusalOf({ ...doubt, resolution: doubt.resolution?.as ?? null }, 'not_placed', now) === null,
  ).length;
  if (people === 0) return;
  const who = peopleOf(people);
  world.tell(
    `${who} may be called a second time: where the service did place the call, the next run repeats it.`,
  );
  if (yes || !isLive(campaign, services, world)) return;
  if (await world.confirm(`Type yes ${people} to let them be called again:`, `yes ${people}`))
    return;
  const onTerminal = world.attended;
  throw new AppError('NOT_CONFIRMED', 'Not confirmed: nothing was settled.', {
    hint: onTerminal
      ? `run it again and type yes ${people}, in full`
      : 'run it on a terminal, or give --yes',
    exitCode: EXIT.usage,
  });
}

/** People's phones ring there; a service that is not known any more counts as one. */
function isLive(
  { simulated, service }: Campaign,
  services: string | undefined,
  world: World,
): boolean {
  if (simulated) return false;
  const entry = service.includes('://')
    ? service
    : knownServices({ services }, world).entries.get(service)?.url;
  return entry === undefined || !isLoopback(new URL(entry).hostname);
}

function sayNext(
  settled: readonly { as: Resolution }[],
  left: number,
  { name, state }: Campaign,
  world: World,
): void {
  const count = (as: Resolution) => settled.filter((one) => one.as === as).length;
  const word = shellWord(name);
  if (count('placed') > 0) world.tell(`\`callsheet collect ${word}\` brings their results in.`);
  if (count('not_placed') > 0) {
    world.tell(
      state === 'cancelled'
        ? 'The campaign is cancelled: nobody is called again.'
        : `\`callsheet run ${word}\` calls ${peopleOf(count('not_placed'))} again.`,
    );
  }
  if (left === 0) world.tell(`No call of "${name}" is in doubt any more.`);
  else {
    const are = left === 1 ? 'is' : 'are';
    world.tell(`${counted(left, 'call')} ${are} still in doubt; \`callsheet resolve ${word}\`.`);
  }
}

function peopleOf(count: number): string {
  return count === 1 ? '1 person' : `${grouped(count)} people`;
}
