import { refusalOf, type Resolution, type ResolutionRefusal } from '../../domain/resolution.ts';
import { usageError } from '../../runtime/errors.ts';
import { isLoopback } from '../../runtime/loopback.ts';
import type { Doubt } from '../../store/port.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { counted } from '../../text/plural.ts';
import { knownServices } from '../services/service.ts';

/** One doubt, and how it is to be settled. */
export interface Decision {
  doubt: Doubt;
  settle: { as: 'placed'; callId: string } | { as: 'not_placed' | 'unconfirmed' };
}

export interface SettleOptions {
  /** The reason, for the history. */
  note: string | null;
  /** Skips the question before people may be called a second time. */
  yes: boolean;
  /** The file that names services. */
  services: string | undefined;
}

export interface SettledDoubts {
  settled: { doubt: Doubt; as: Resolution }[];
  refused: { doubt: Doubt; as: Resolution; refusal: ResolutionRefusal }[];
  /** How many calls of the campaign are still in doubt. */
  stillInDoubt: number;
}

/**
 * Settles doubts one by one, after a typed `yes N` if people may be called a second time.
 *
 * @throws AppError `NOT_CONFIRMED` (exit 2)
 */
export async function settleDoubts(
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
    if (answer.kind === 'resolved') settled.push({ doubt, as });
    else refused.push({ doubt, as, refusal: answer.refusal });
  }
  const left = (await store.doubts(campaign.id)).filter(({ resolution }) => resolution === null);
  return { settled, refused, stillInDoubt: left.length };
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
  if (yes || !isLive(open, services)) return;
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
function isLive({ campaign, world }: OpenCampaign, services: string | undefined): boolean {
  const { simulated, service } = campaign;
  if (simulated) return false;
  const entry = service.includes('://')
    ? service
    : knownServices({ services }, world).entries.get(service)?.url;
  return entry === undefined || !isLoopback(new URL(entry).hostname);
}
