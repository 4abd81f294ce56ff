import { PAUSE_REASONS } from '../../domain/campaign.ts';
import { isDated, type DialCounts } from '../../domain/nights/night-end.ts';
import { endOfNight } from '../../domain/notices.ts';
import type { SituationWord } from '../../domain/situation.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { dialsText } from '../../results/figure-lines.ts';
import { nightFigures, NO_CALLS } from '../../results/figures.ts';
import { AppError, EXIT } from '../../runtime/errors.ts';
import type { Notice } from '../../runtime/log.ts';
import type { Campaign, OpenNight, Progress, Store } from '../../store/port.ts';
import { counted } from '../../text/wording.ts';
import type { RefusedList } from '../lists/taking.ts';
import { campaignNight } from '../nights/nights.ts';
import { FOR_NOW, writeEndedNights } from '../nights/ended-nights.ts';
import { resultsFile, writeResultsFile } from '../results/results-file.ts';
import { viewOf, type ExitReason } from '../run/situation.ts';
import { wordsOf } from '../sentences/situations.ts';
import type { World } from '../world.ts';
import { writeNotice, type OutboxDesk, type Told } from './outbox.ts';

/** A run that has ended just now. */
interface EndedRun {
  campaignId: string;
  /** Why it ended, as the operator is told. */
  why: string;
  /** The results file that it has written; null: none. */
  results: string | null;
}

/**
 * Tells `finished` of nights that are over, also of those in which another process called: the next process tells what
 * a killed one could not.
 * @param ended null: no run has ended, all campaigns are looked at
 */
async function tellEndedNights(
  ended: EndedRun | null,
  desk: OutboxDesk,
  world: World,
): Promise<void> {
  const { store } = desk;
  const open = await store.openNights(ended?.campaignId ?? null);
  if (open.length === 0) return;
  const campaigns = new Map((await store.listCampaigns()).map((each) => [each.id, each]));
  for (const night of open) {
    const campaign = campaigns.get(night.campaignId);
    if (campaign !== undefined) await tellIfOver(night, campaign, ended, desk, world);
  }
}

async function tellIfOver(
  { night, toldCalls }: OpenNight,
  campaign: Campaign,
  ended: EndedRun | null,
  desk: OutboxDesk,
  world: World,
): Promise<void> {
  const { store } = desk;
  const { settings, state } = campaign;
  const now = world.clock.now();
  const progress = await store.progress(campaign.id, now);
  const { nextDueAt, calling } = progress;
  const nightOf = (at: number) => campaignNight(at, settings).date;
  const isPast = nightOf(now) !== night;
  const isLater = state === 'running' && nextDueAt !== null && nightOf(Math.max(nextDueAt, now)) !== night; // prettier-ignore
  const rows = (await store.nights(campaign.id)).filter((row) => row.night === night);
  const [figures = NO_CALLS] = await nightFigures(store, campaign.id, rows);
  const { made, refused, inDoubt, notMade, answered } = figures;
  const tonight = { calls: made + inDoubt, made, refused, inDoubt, notMade, answered };
  const reason = endOfNight({
    isOver: isPast || (isLater && calling === 0),
    isCompleted: state === 'completed' || (state === 'cancelled' && calling === 0),
    runEnded: ended !== null,
    ...{ calls: tonight.calls, toldCalls },
  });
  if (reason === null) return;
  const silent = reason === 'silent';
  // A run that ended after its night has written the results of the next one.
  const written = isPast ? null : ended?.results;
  const results = written ?? (silent ? null : await resultsOf(campaign, night, store, world));
  // The night stays open, so that the next look, of this process or a later one, writes them and tells.
  if (results === undefined) return;
  const text = `${whatIsOver(reason, state)}: ${nightText(tonight, progress)}${ended === null ? '' : ` ${ended.why}`}`;
  const row = (await store.nights(campaign.id)).find((each) => each.night === night);
  const resultsMachine = row?.resultsFile === results ? row.resultsMachine : world.owner.host;
  const more = { counts: countsOf(progress), tonight, results, resultsMachine };
  const said = silent ? 'night' : reason;
  // Calls may follow what ended the night, such as those of a further list: its end is told once more then.
  const about = `${said} ${tonight.calls}`;
  const end = { campaign, night, reason: said, about, text, more, silent };
  await writeNotice({ event: 'finished', ...end }, desk, world);
}

function whatIsOver(reason: string, state: Campaign['state']): string {
  if (reason === 'campaign') return `the campaign is ${state}`;
  return reason === 'run' ? 'a run has ended' : 'the night is over';
}

function nightText(
  counts: DialCounts & { answered: number },
  { done, total, waiting, doubts }: Progress,
): string {
  const doubt = doubts === 0 ? '' : `, ${counted(doubts, 'call')} in doubt`;
  return `tonight ${dialsText(counts)}; ${counts.answered} answered; ${done} of ${counted(total, 'lead')} final, ${waiting} waiting${doubt}.`;
}

/** A campaign in numbers, as they stand in a notice. */
function countsOf({ total, done, waiting, calling, dials, results }: Progress) {
  const { made: calls, ...others } = dials;
  return { leads: total, done, waiting, inProgress: calling, calls, ...others, results };
}

/**
 * Writes the results of a campaign whose night is over; a file that must not be replaced is left alone.
 * @returns the path; null: there is no file; undefined: it is still to come (folder away, disk full, being written)
 */
async function resultsOf(
  campaign: Campaign,
  night: string,
  store: Store,
  world: World,
): Promise<string | null | undefined> {
  const now = world.clock.now();
  const file = resultsFile(campaign, store.folder, now);
  if (file === '-') return null;
  const tonight = campaignNight(now, campaign.settings).date;
  try {
    if (isDated(campaign.settings.results.file) && night !== tonight) {
      if ((await writeEndedNights(store, world)).has(campaign.id + night)) return undefined;
      const nights = await store.nights(campaign.id);
      return nights.find((each) => each.night === night)?.resultsFile ?? null;
    }
    await writeResultsFile(store, campaign, false, world);
    return file;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return FOR_NOW.test(error.code) ? undefined : null;
  }
}

export type NoticeWatch = ReturnType<typeof createNoticeWatch>;

/** Writes notices of what happens in this process. Nothing here rejects. */
export function createNoticeWatch(desk: OutboxDesk, world: World) {
  const { store } = desk;
  const { clock } = world;
  /** Nights of campaigns that were told as begun: their other calls are no news. */
  const begun = new Set<string>();
  let writing: Promise<void> = Promise.resolve();

  /** Writes in turn. A notice that cannot be written is told here, where somebody may see it. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    writing = writing.then(work).catch((error: unknown) => {
      world.keepStack(error);
      world.tell('A notice could not be written to the database; nobody is told of it.', 'problem');
    });
    return writing;
  };
  const write = (told: Told) => writeNotice(told, desk, world);

  /** A state that lasts is told once a night by its reason; each pause by the resume before it, so that a second one is told. */
  const needed = async (campaign: Campaign, reason: string, text: string) => {
    const isPause = (PAUSE_REASONS as readonly string[]).includes(reason);
    const history = isPause ? await store.history(campaign.id) : [];
    const resumed = history.findLast(({ what }) => what === 'campaign.resumed');
    const about = resumed === undefined ? reason : `${reason} ${resumed.at}`;
    await write({ event: 'attention', campaign, reason, about, text });
  };
  const attention = (campaign: Campaign, reason: string, text: string) =>
    inTurn(() => needed(campaign, reason, text));

  /** A person is needed for this, in the words of the campaign's situation. @param as what the notice itself knows */
  const said = (campaign: Campaign, word: SituationWord, as: Partial<Campaign> = {}) =>
    inTurn(async () => {
      const stored = (await store.findCampaign(campaign.name)) ?? campaign;
      const view = await viewOf({ store, campaign: { ...stored, ...as }, world });
      await needed(campaign, word, wordsOf(view, word));
    });

  /** Tells of nights that have begun, by the calls that the database has. */
  const tellBegun = async () => {
    const campaigns = new Map((await store.listCampaigns()).map((each) => [each.id, each]));
    const since = clock.now() - DAY_MS;
    for (const { campaignId, night, beganAt: at } of await store.nightsSince(since)) {
      const campaign = campaigns.get(campaignId);
      if (campaign?.kind !== 'list') continue;
      const text = `calling has begun for the night of ${night}.`;
      await write({ event: 'started', campaign, night, reason: 'calls', text, at });
      begun.add(campaignId + night);
    }
  };

  /** @param ended null: no run has ended, all campaigns are looked at */
  const tellNights = (ended: EndedRun | null) =>
    inTurn(async () => {
      await tellBegun();
      await tellEndedNights(ended, desk, world);
    });

  return {
    /** A person is needed. @param reason a word for programs @param text one or two sentences */
    attention,
    /** What a run reports while it is in progress. */
    heard: (campaign: Campaign, notice: Notice) => {
      if (campaign.kind !== 'list') return;
      const { event } = notice;
      if (event === 'call.placed' || event === 'call.unknown') {
        const tonight = campaign.id + campaignNight(clock.now(), campaign.settings).date;
        if (!begun.has(tonight))
          void inTurn(async () => (begun.has(tonight) ? undefined : tellBegun()));
      } else if (event === 'campaign.paused') {
        const { reason: pauseReason, detail: pauseDetail } = notice;
        if (pauseReason !== 'operator')
          void said(campaign, pauseReason, { pauseReason, pauseDetail });
      } else if (event === 'breaker.lasts')
        void attention(campaign, 'breaker', `the service has failed for ten minutes, and nobody is called until it answers: ${notice.detail}`); // prettier-ignore
      else if (event === 'disk.full') void said(campaign, 'disk_full');
      else if (event === 'machines.awaited') void said(campaign, 'machines');
    },
    /** A list of a watched folder was not taken, or rows of it were held back. */
    refusedList: (list: RefusedList) =>
      inTurn(() => write(refusedListNotice(list, world.owner.host))),
    /** A run of a campaign has ended. @param exit why, and what a person is needed for @param results their file */
    runEnded: async (
      campaign: Campaign,
      exit: Omit<ExitReason, 'nextAt'>,
      results: string | null,
    ) => {
      const { code, why } = exit;
      if (campaign.kind !== 'list') return;
      if (exit.attention !== undefined) await attention(campaign, exit.attention, why);
      // Another run goes on with this night.
      if (code === EXIT.interrupted) await writing;
      else await tellNights({ campaignId: campaign.id, why, results });
    },
    /** Tells of nights that have begun or are over, also where the process that called in them was killed. */
    tellNights: () => tellNights(null),
    /** Tells of calls in doubt that wait for a person: only the end of a run, which may last for days, would do so. */
    tellDoubts: () =>
      inTurn(async () => {
        for (const campaign of await store.listCampaigns()) {
          if (campaign.kind !== 'list' || campaign.archivedAt !== undefined) continue;
          const { doubts, unknown } = await store.progress(campaign.id, clock.now());
          if (doubts <= unknown) continue;
          const view = await viewOf({ store, campaign, world });
          if (view.progress.doubts > view.progress.unknown)
            await needed(campaign, 'doubts', wordsOf(view, 'doubts'));
        }
      }),
    /** Waits until what has happened so far is written. */
    settled: () => writing,
  };
}

/** Told once a night for the same content, whichever process refuses it. */
function refusedListNotice(
  { campaign, path, sha256, code, why, hint, held }: RefusedList,
  machine: string,
): Told {
  const isMoved = held === null && campaign.settings.sources?.after === 'move';
  const where = isMoved ? ' It is in refused/ beside its place: mend it and put it back.' : '';
  const what =
    held === null ? `the list ${path} is refused` : `${counted(held, 'row')} of ${path} held back`;
  const text = `${what}: ${why}${where}${hint === null ? '' : ` Next: ${hint}.`}`;
  const more = { list: { file: path, machine, sha256, code } };
  return { event: 'refusedList', campaign, reason: code, about: sha256 ?? path, text, more };
}
