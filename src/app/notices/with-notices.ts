import type { FlagsInput } from '../../config/campaign-file.ts';
import { isDated } from '../../domain/nights/night-end.ts';
import { AppError, EXIT } from '../../runtime/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store } from '../../store/port.ts';
import { writeEndedNights } from '../nights/ended-nights.ts';
import { findCampaign, patiently, withStore } from '../places/databases.ts';
import { targetOf, type TargetRequest } from '../places/list-or-campaign.ts';
import type { StopSignals } from '../run/run-events.ts';
import { knownServices, type ServiceRequest } from '../services/service.ts';
import { loadSender } from '../../service/webhooks/send.ts';
import type { World } from '../world.ts';
import { deliverDue, deliverUntil } from './outbox.ts';
import { receiverLines } from './send.ts';
import { createNoticeWatch, type NoticeWatch } from './watch.ts';

interface NoticeDesk {
  store: Store;
  flags: Pick<ServiceRequest, 'services'>;
  log: Log;
  stop: StopSignals;
  /** It works for days: says at the start who is told, and looks every few minutes for what nobody reports. */
  serves?: boolean;
}

/** How often it is looked for nights that are over and, by `serve`, for doubts that wait for a person. */
const LOOK_OVER_MS = 5 * 60_000;
const LOAD_AFTER_MS = 1_000;
/** For how long what is due at the end may still be sent; the rest is the next process's, at once. */
const LAST_SENDS_MS = { usual: 60_000, stopped: 1_500 };

/** Writes notices and sends those that are due, of all processes, while `use` is at work. */
export async function withNotices<T>(
  { store, flags, log, stop, serves = false }: NoticeDesk,
  world: World,
  use: (watch: NoticeWatch) => Promise<T>,
): Promise<T> {
  const { notify: own = [], path } = knownServices(flags, world);
  const late = new AbortController();
  const desk = { store, own, log, late: late.signal };
  const watch = createNoticeWatch(desk, world);
  const over = new AbortController();
  const stopped = AbortSignal.any([over.signal, stop.dialling]);
  // Before the first call, so that the file of a night does not have those of the next one.
  const patient = patiently(store, world);
  await writeEndedNights(patient, world, true);
  const campaigns = await patient.listCampaigns();
  if (serves) tellReceivers();
  else await watch.tellNights();
  const looksOver = serves || campaigns.some(({ settings }) => isDated(settings.results.file));
  const work = [looksOver ? lookOver() : Promise.resolve(), deliverUntil(over.signal, desk, world)];
  // After the first dials, which it would hold up.
  const cancelLoading = world.clock.after(LOAD_AFTER_MS, () => {
    loadWhatIsUsedLater().catch(world.keepStack);
  });
  try {
    return await use(watch);
  } finally {
    cancelLoading();
    over.abort();
    // A second Ctrl-C waits for nobody: what was being sent goes out again, with the same id.
    if (!stop.left.aborted) {
      const within = LAST_SENDS_MS[stop.dialling.aborted ? 'stopped' : 'usual'];
      const cancel = world.clock.after(within, () => late.abort());
      await Promise.all([...work, watch.settled()]);
      await deliverDue(desk, world).catch(world.keepStack);
      cancel();
    }
  }

  async function lookOver(): Promise<void> {
    while (!stopped.aborted) {
      await writeEndedNights(store, world).catch(world.keepStack);
      if (serves) {
        await watch.tellNights();
        await watch.tellDoubts();
      }
      await world.clock.sleep(LOOK_OVER_MS, stopped);
    }
  }

  function tellReceivers(): void {
    const { told, refused } = receiverLines(own, campaigns);
    for (const line of told) world.tell(`Notices: ${line}.`);
    for (const line of refused) world.tell(`${line}.`, 'problem');
    if (told.length > 0) return;
    world.tell(`Nobody is told when a person is needed: \`notify\` in ${path} names who is.`);
  }
}

/**
 * Tells people of a run that was refused before its first call, where the next night's will be, too. At a terminal a
 * person sees it; a campaign that is not stored yet was begun by somebody who is still there.
 */
export async function tellRefusedRun(
  error: unknown,
  request: ServiceRequest & TargetRequest & { given?: Omit<FlagsInput, 'cwd'> },
  desk: { log: Log; stop: StopSignals },
  world: World,
): Promise<void> {
  if (world.attended || !needsPerson(error)) return;
  try {
    const { file, name } = targetOf(request, world.cwd);
    const campaign = request.given?.flags?.name ?? file?.name ?? name;
    const found = await findCampaign(campaign, request, world);
    if (found === undefined) return;
    await withStore(found.place, 'write', world, (store) =>
      withNotices({ store, flags: request, ...desk }, world, (watch) =>
        watch.attention(found.campaign, error.code.toLowerCase(), refusalText(error)),
      ),
    );
  } catch (second) {
    // The first error is the one to report.
    world.keepStack(second);
  }
}

/** Errors of wrong usage (exit 2) that are no mistake in a command, but come with time. */
const COME_WITH_TIME = ['SUPPRESSION_TOO_OLD', 'SERVICE_KEY_MISSING', 'LIST_UNFINISHED'];

/** Whether an error that ends a run will end the next one, too, until a person has done something. */
export function needsPerson(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false;
  const { code, exitCode } = error;
  return exitCode === EXIT.key || exitCode === EXIT.person || COME_WITH_TIME.includes(code);
}

/** Message and next step as one line. */
export function refusalText({ lines, hint }: AppError): string {
  return `${lines.join(' ')}${hint === undefined ? '' : ` Next: ${hint}`}`;
}

/** Modules that are loaded at their first use: an update may replace the program's files while this process works. */
function loadWhatIsUsedLater(): Promise<unknown> {
  const lists = import('../../leads/workbook/rows.ts');
  return Promise.all([lists, loadSender(), import('csv-parse'), import('yauzl')]);
}
