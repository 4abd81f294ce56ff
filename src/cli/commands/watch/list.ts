import { existsSync } from 'node:fs';
import { EXIT, type ExitCode } from '../../../runtime/errors.ts';
import type { Campaign, Progress } from '../../../store/port.ts';
import { withIso } from '../../../text/iso-times.ts';
import { openSqliteStore } from '../../../store/sqlite/open.ts';
import { defineCommand } from '../../args/command.ts';
import { databasePlaces } from '../../../app/places/databases.ts';
import { printFittedTable } from '../../terminal/fitted-table.ts';
import type { CommandIo } from '../../io.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { counted } from '../../../text/plural.ts';
import { progressJson } from '../../print/json-times.ts';
import { nobodyCalls, statusRow, STATUS_HEADERS } from '../../print/status-row.ts';
import { unfinishedImport, unfinishedSentence } from '../../../app/plan/unfinished-import.ts';
import { locateDatabase } from '../../../app/places/database-place.ts';
import { whoWorks, type Works } from '../../../app/run/who-works.ts';

export const list = defineCommand({
  arguments: {},
  options: {
    ...databaseOptions,
    all: { type: 'switch', describe: 'those that are archived, too' },
    ...jsonOption,
  },
  examples: [['list', 'every campaign, in a line each; rehearsals too']],
  run: listCampaigns,
});

/** What `list`, and `status` without a name, print. */
export async function listCampaigns(
  args: { db?: string | undefined; json: boolean; all?: boolean },
  io: CommandIo,
): Promise<ExitCode> {
  const found = await readAll(args, io);
  const campaigns = found.filter(
    ({ campaign }) => args.all === true || campaign.archivedAt === undefined,
  );
  const hidden = found.length - campaigns.length;
  if (args.json) {
    printJson(
      io,
      campaigns.map(({ campaign, progress, works, heldUpBy }) => ({
        ...publicView(campaign),
        ...progressJson(progress, campaign.settings.timezone),
        ...worksJson(works, campaign),
        heldUpBy,
      })),
    );
  } else if (campaigns.length > 0) {
    printFittedTable(
      io,
      STATUS_HEADERS,
      campaigns.map(({ campaign, progress, works }) =>
        statusRow(campaign, progress, works, io.clock.now()),
      ),
    );
    for (const { campaign, works } of campaigns) {
      const idle = nobodyCalls(campaign, works);
      if (idle !== null) say(io, idle);
    }
    for (const { campaign, heldUpBy } of campaigns)
      if (heldUpBy !== null) say(io, `${campaign.name}: ${heldUpBy}`);
  }
  if (hidden > 0) {
    const are = hidden === 1 ? 'is' : 'are';
    const archived = counted(hidden, 'archived campaign');
    say(io, `${archived} ${are} not shown; \`callsheet list --all\` does.`);
  } else if (campaigns.length === 0) {
    const { path } = locateDatabase(args, io, false);
    const none = existsSync(path) ? '' : ': there is no such file yet';
    say(io, `No campaign is in ${path}${none}; \`callsheet run LIST --agent ID\` begins one.`);
  }
  return EXIT.ok;
}

/** A campaign as `--json` shows it. */
export function publicView({
  name,
  state,
  pauseReason,
  pauseDetail,
  service,
  simulated,
  settings,
  archivedAt,
}: Campaign) {
  const archived = archivedAt !== undefined;
  return { name, state, pauseReason, pauseDetail, archived, service, simulated, settings };
}

/** Who works on it, as `--json` shows it. */
export function worksJson({ runner, calls, since }: Works, { settings }: Campaign) {
  const at = withIso({ since }, ['since'], settings.timezone).since;
  return { runner, runnerCalls: calls !== null, runnerSince: at };
}

async function readAll(args: { db?: string | undefined }, io: CommandIo) {
  const all: { campaign: Campaign; progress: Progress; works: Works; heldUpBy: string | null }[] =
    [];
  for (const { path } of databasePlaces(args, io)) {
    const store = openSqliteStore({ path, mode: 'read' });
    try {
      for (const campaign of await store.listCampaigns()) {
        if (campaign.kind !== 'list') continue;
        const now = io.clock.now();
        const progress = await store.progress(campaign.id, now);
        const works = whoWorks(await store.runners(campaign.id), io);
        const unfinished = await unfinishedImport(store, campaign, io);
        const isHeldUp = unfinished !== undefined && campaign.state !== 'cancelled';
        const heldUpBy = isHeldUp ? unfinishedSentence(unfinished, campaign) : null;
        all.push({ campaign, progress, works, heldUpBy });
      }
    } finally {
      await store.close();
    }
  }
  return all;
}
