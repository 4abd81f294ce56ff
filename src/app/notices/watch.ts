import { PAUSE_REASONS } from '../../domain/campaign.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import type { Notice } from '../../runtime/notice.ts';
import type { Campaign } from '../../store/port.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { RefusedList } from '../lists/taking.ts';
import { campaignNight } from '../nights/campaign-night.ts';
import type { World } from '../world.ts';
import { tellEndedNights, type EndedRun } from './nights.ts';
import { writeNotice, type OutboxDesk, type Told } from './outbox.ts';

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
        void inTurn(async () => (begun.has(tonight) ? undefined : tellBegun()));
      } else if (event === 'campaign.paused' && notice.reason !== 'operator')
        void attention(campaign, notice.reason, `paused, a person is needed: ${notice.detail}`);
      else if (event === 'breaker.lasts')
        void attention(campaign, 'breaker', `the service has failed for ten minutes, and nobody is called until it answers: ${notice.detail}`); // prettier-ignore
      else if (event === 'disk.full')
        void attention(campaign, 'disk_full', `${DISK_FULL} Make room; calling then goes on.`);
    },
    /** A list of a watched folder was not taken, or rows of it were held back. */
    refusedList: (list: RefusedList) => inTurn(() => write(refusedListNotice(list))),
    /** A run of a campaign has ended. @param exit why, and what a person is needed for @param results their file */
    runEnded: async (
      campaign: Campaign,
      exit: { code: ExitCode; why: string; attention?: string | undefined },
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
          const settle = `\`callsheet resolve ${shellWord(campaign.name)}\` lists and settles them`;
          const text = `it is not known whether ${counted(doubts, 'call')} came about; ${settle}.`;
          if (doubts > unknown) await needed(campaign, 'doubts', text);
        }
      }),
    /** Waits until what has happened so far is written. */
    settled: () => writing,
  };
}

const DISK_FULL = 'the disk of the database has less than 64 MB free, so no more calls are made.';

/** Told once a night for the same content, whichever process refuses it. */
function refusedListNotice({ campaign, path, sha256, code, why, hint, held }: RefusedList): Told {
  const isMoved = held === null && campaign.settings.sources?.after === 'move';
  const where = isMoved ? ' It is in refused/ beside its place: mend it and put it back.' : '';
  const what =
    held === null ? `the list ${path} is refused` : `${counted(held, 'row')} of ${path} held back`;
  const text = `${what}: ${why}${where}${hint === null ? '' : ` Next: ${hint}.`}`;
  const more = { list: { file: path, sha256, code } };
  return { event: 'refusedList', campaign, reason: code, about: sha256 ?? path, text, more };
}
