import { dirname, join } from 'node:path';
import { writeResults } from '../results/write.ts';
import { summaryLines } from '../results/summary.ts';
import { EXIT, type ExitCode } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import type { Notice } from '../runtime/notice.ts';
import { isGone } from '../runtime/process.ts';
import { runCampaign, type RunOptions } from '../runner.ts';
import type { Campaign, Store } from '../store/port.ts';
import type { Io } from './io.ts';
import { outcomeOf } from './outcome.ts';
import { printJson, say } from './output.ts';
import { showProgress } from './progress.ts';
import { listenForStop } from './stop.ts';
import { localTime } from './local-time.ts';

export interface ConductOptions {
  store: Store;
  campaign: Campaign;
  /** The folder of the database: results go beside it unless told otherwise. */
  folder: string;
  run: Pick<RunOptions, 'dialAt' | 'collectFrom' | 'limit' | 'until' | 'waitUntil'>;
  json: boolean;
  log: Log;
}

/** Runs or collects a campaign before the operator's eyes, writes its results, and says how it ended. */
export async function conduct(options: ConductOptions, io: Io): Promise<ExitCode> {
  const { store, campaign, log } = options;
  const stop = listenForStop(io, campaign.name);
  const progress = showProgress(store, campaign, io);
  try {
    await runCampaign({
      ...options.run,
      store,
      campaign,
      clock: io.clock,
      owner: io.owner,
      isGone: (owner) => isGone(owner, io.owner),
      notify: (notice) => {
        record(notice, log);
        const sentence = sentenceOf(notice, campaign.name);
        if (sentence !== undefined) progress.say(sentence);
      },
      stopDialling: stop.dialling,
      stop: stop.all,
    });
  } finally {
    await progress.stop();
    stop.forget();
  }
  if (stop.wasTwice()) return EXIT.interrupted;
  return finish(options, stop.dialling.aborted, io);
}

async function finish(
  { store, campaign, folder, json }: ConductOptions,
  interrupted: boolean,
  io: Io,
): Promise<ExitCode> {
  const after = await completeIfDone(store, campaign, io);
  const progress = await store.progress(campaign.id, io.clock.now());
  const { file, format } = after.settings.results;
  const to =
    file === '-' ? io.stdout : (file ?? join(folder, 'results', `${campaign.name}.${format}`));
  const written = await writeResults({ store, campaign: after, to, format });
  const outcome = outcomeOf(after, progress, interrupted);
  const next = outcome.nextAt === null ? null : localTime(outcome.nextAt, after.settings.timezone);
  if (json && file !== '-') {
    printJson(io, {
      campaign: campaign.name,
      state: after.state,
      ...progress,
      results: written.path,
      exitCode: outcome.code,
      why: outcome.why,
      nextAt: next,
    });
  }
  for (const line of summaryLines(progress)) say(io, line);
  if (written.path !== null) say(io, `Results: ${written.path} (${written.rows} rows)`);
  say(io, `${outcome.why}${next === null ? '' : ` Next at ${next}.`}`);
  return outcome.code;
}

/** A running campaign without a lead to call or a call to read is completed. */
async function completeIfDone(store: Store, campaign: Campaign, io: Io): Promise<Campaign> {
  const now = (await store.findCampaign(campaign.name)) ?? campaign;
  const { total, done } = await store.progress(campaign.id, io.clock.now());
  if (now.state !== 'running' || done < total) return now;
  return store.changeCampaign(
    campaign.id,
    { state: 'completed' },
    { at: io.clock.now(), who: 'callsheet', what: 'campaign.completed', detail: { total } },
  );
}

function record(notice: Notice, log: Log): void {
  const { event, ...fields } = notice;
  switch (event) {
    case 'call.placed':
    case 'call.settled':
    case 'call.released':
    case 'call.rejected':
    case 'campaign.resumed':
    case 'breaker.closed':
      log.info(event, fields);
      return;
    case 'call.unknown':
    case 'look.failed':
    case 'slots.shrunk':
      log.info(event, fields);
      return;
    case 'breaker.opened':
    case 'campaign.paused':
    case 'store.failing':
      log.info(event, fields);
      return;
  }
}

/** What the operator is told at once; single calls are for the log and the counts. */
function sentenceOf(notice: Notice, name: string): string | undefined {
  switch (notice.event) {
    case 'campaign.paused':
      return notice.reason === 'operator'
        ? `Paused: no new call is started; calls in progress end by themselves. \`callsheet resume ${name}\` goes on.`
        : `Paused by callsheet: ${notice.detail}`;
    case 'campaign.resumed':
      return 'Resumed.';
    case 'breaker.opened':
      return `The service fails: no new call until it answers again. Last: ${notice.detail}`;
    case 'breaker.closed':
      return 'The service answers again.';
    case 'slots.shrunk':
      return `The service refuses more calls at once: using ${notice.limit} slots for now.`;
    case 'store.failing':
      return `The database cannot be written (${notice.detail}); no new call is started.`;
    case 'call.unknown':
      return `The answer of a call was lost: ${notice.detail}`;
    case 'call.placed':
    case 'call.settled':
    case 'call.released':
    case 'call.rejected':
    case 'look.failed':
      return undefined;
  }
}

/** Where results go when nobody says where. */
export function defaultFolder(databasePath: string): string {
  return dirname(databasePath);
}
