import { PAUSE_REASONS } from '../../domain/campaign.ts';
import type { NoticeTarget } from '../../domain/notices/target.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { Notice } from '../../runtime/notice.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { campaignNight } from '../nights/campaign-night.ts';
import type { World } from '../world.ts';
import type { RefusedList } from '../lists/taking.ts';
import { deliverDue, deliverUntil } from './deliver.ts';
import { tellEndedNights } from './nights.ts';
import { writeRefusedList } from './refused-list.ts';
import { receivers } from './targets.ts';
import { writeNotice } from './write.ts';

/** Writes notices of what happens in this process, and sends what is due of all processes. Nothing here rejects. */
export interface NoticeWatch {
  /** What a run reports while it is in progress. */
  heard(campaign: Campaign, notice: Notice): void;
  /**
   * A person is needed. Told once a night by this process, as most such states last.
   *
   * @param reason a word for programs
   * @param text one or two sentences
   * @param how `each`: it is counted every time
   */
  attention(
    campaign: Campaign | null,
    reason: string,
    text: string,
    how?: 'once' | 'each',
  ): Promise<void>;
  /** A list of a watched folder was not taken. @param more e.g. its path and the counts of its rows */
  refusedList(list: RefusedList): Promise<void>;
  /** A run of a campaign has ended. @param exit why, and what a person is needed for */
  runEnded(
    campaign: Campaign,
    exit: { code: ExitCode; why: string; attention?: string | undefined },
    results: string | null,
  ): Promise<void>;
  /** Writes down what a process that was killed may have left out; called once at the start. */
  catchUp(): Promise<void>;
  /** Tells of nights that are over, also of those whose process was killed. */
  tellNights(): Promise<void>;
  /** Tells of calls in doubt that wait for a person. */
  tellDoubts(): Promise<void>;
  /** Sends until `signal` aborts. */
  deliverUntil(signal: AbortSignal): Promise<void>;
  /** Waits until what has happened so far is written. */
  settled(): Promise<void>;
  /** The same, then sends what is due once. */
  flush(): Promise<void>;
}

interface WatchOptions {
  store: Store;
  /** The targets of services.yaml. */
  own: readonly NoticeTarget[];
  log: Log;
  writeResults: (campaign: Campaign, night: string) => Promise<string | null | undefined>;
}

export function createNoticeWatch(options: WatchOptions, world: World): NoticeWatch {
  const { store, own, log } = options;
  const desk = { store, own, log };
  /** What this process has told already: a state that lasts is told once, not at every look. */
  const noted = new Set<string>();
  let writing: Promise<void> = Promise.resolve();

  /** Writes in turn. A notice that cannot be written is told here, where somebody may see it. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    writing = writing.then(work).catch((error: unknown) => {
      world.keepStack(error);
      world.tell('A notice could not be written to the database; nobody is told of it.', 'problem');
    });
    return writing;
  };

  /** The campaign as it is stored now, as its settings may have been changed meanwhile; undefined: nobody is named. */
  const notified = async (campaign: Campaign): Promise<Campaign | undefined> => {
    const now = (await store.findCampaign(campaign.name)) ?? campaign;
    return receivers(own, [now.settings]).size === 0 ? undefined : now;
  };

  /** The night, if this process has not told this of it yet. */
  const once = (campaign: Campaign | null, event: string, reason: string): string | null => {
    const night = campaignNight(world.clock.now(), campaign?.settings ?? world).date;
    const key = JSON.stringify([campaign?.id, night, event, reason]);
    if (noted.has(key)) return null;
    noted.add(key);
    return night;
  };

  /** What is told once: a state that lasts by its reason; each pause by the resume before it, so that a second one is told. */
  const aboutOf = async (campaign: Campaign | null, reason: string): Promise<string> => {
    if (campaign === null || !(PAUSE_REASONS as readonly string[]).includes(reason)) return reason;
    const history = await store.history(campaign.id);
    const resumed = history.findLast(({ what }) => what === 'campaign.resumed');
    return resumed === undefined ? reason : `${reason} ${resumed.at}`;
  };

  const attention: NoticeWatch['attention'] = (campaign, reason, text, how = 'once') =>
    inTurn(async () => {
      const about = await aboutOf(campaign, reason);
      const isNew = once(campaign, 'attention', about) !== null;
      if (!isNew && how === 'once') return;
      const now = campaign === null ? null : await notified(campaign);
      if (now === undefined) return;
      const night = campaignNight(world.clock.now(), now?.settings ?? world).date;
      const told = { event: 'attention', campaign: now, night, reason, about, text } as const;
      await writeNotice(told, desk, world);
    });

  const writeStarted = async (campaign: Campaign, at: number, ofNight?: string) => {
    const now = await notified(campaign);
    if (now === undefined) return;
    const night = ofNight ?? campaignNight(at, now.settings).date;
    const text = `calling has begun for the night of ${night}.`;
    const told = { event: 'started', campaign: now, night, reason: 'calls', text, at } as const;
    await writeNotice(told, desk, world);
  };

  const started = (campaign: Campaign) => {
    if (once(campaign, 'started', 'calls') === null) return;
    void inTurn(() => writeStarted(campaign, world.clock.now()));
  };

  /** A process may have been killed after the first call of a night and before it could write that down. */
  const catchUp = async (only?: Campaign) => {
    const since = world.clock.now() - DAY_MS;
    const all = await store.listCampaigns();
    const isAnybodyNamed =
      receivers(
        own,
        all.map(({ settings }) => settings),
      ).size > 0;
    if (!isAnybodyNamed) return;
    const campaigns = new Map(all.map((each) => [each.id, each]));
    for (const { campaignId, night, beganAt } of await store.nightsSince(since)) {
      const campaign = campaigns.get(campaignId);
      if (campaign?.kind !== 'list' || (only?.id ?? campaignId) !== campaignId) continue;
      await writeStarted(campaign, beganAt, night);
    }
  };

  /** A run may last for days, and only its end would tell of calls in doubt for which no evidence has come. */
  const tellDoubts = () => inTurn(lookForDoubts);
  const lookForDoubts = async () => {
    for (const campaign of await store.listCampaigns()) {
      if (campaign.kind !== 'list' || campaign.archivedAt !== undefined) continue;
      const { doubts, unknown } = await store.progress(campaign.id, world.clock.now());
      if (doubts <= unknown) continue;
      const settle = `\`callsheet resolve ${shellWord(campaign.name)}\` lists and settles them`;
      const text = `it is not known whether ${counted(doubts, 'call')} came about; ${settle}.`;
      void attention(campaign, 'doubts', text);
    }
  };

  return {
    attention,
    heard: (campaign, notice) => {
      if (campaign.kind !== 'list') return;
      const { event } = notice;
      if (event === 'call.placed' || event === 'call.unknown') started(campaign);
      else if (event === 'campaign.paused' && notice.reason !== 'operator')
        void attention(campaign, notice.reason, `paused, a person is needed: ${notice.detail}`);
      else if (event === 'breaker.lasts')
        void attention(campaign, 'breaker', `the service has failed for ten minutes, and nobody is called until it answers: ${notice.detail}`); // prettier-ignore
      else if (event === 'disk.full')
        void attention(campaign, 'disk_full', `${DISK_FULL} Make room; calling then goes on.`);
    },
    refusedList: (list) =>
      inTurn(async () => {
        const campaign = await notified(list.campaign);
        if (campaign !== undefined) await writeRefusedList({ ...list, campaign }, desk, world);
      }),
    runEnded: async (campaign, exit, results) => {
      if (campaign.kind !== 'list') return;
      const { attention: reason, code, why } = exit;
      if (reason !== undefined) await attention(campaign, reason, why);
      // Another run goes on with this night.
      if (code === EXIT.interrupted) return writing;
      const ended = { campaignId: campaign.id, why, results };
      await inTurn(() => catchUp(campaign));
      await inTurn(() => tellEndedNights(ended, options, world));
    },
    catchUp: () => inTurn(catchUp),
    tellNights: () => inTurn(() => tellEndedNights(null, options, world)),
    tellDoubts,
    deliverUntil: (signal) => deliverUntil(signal, desk, world),
    settled: () => writing,
    flush: async () => {
      await writing;
      await deliverDue(desk, world).catch(world.keepStack);
    },
  };
}

const DISK_FULL = 'the disk of the database has less than 64 MB free, so no more calls are made.';
