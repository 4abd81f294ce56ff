import { campaignName } from '../../../config/fields.ts';
import { AppError, EXIT } from '../../../runtime/errors.ts';
import type { Campaign, Store } from '../../../store/port.ts';
import { defineCommand } from '../../args/command.ts';
import { resultsFile } from '../../../app/run/run-and-report.ts';
import { findCampaign, withCampaign } from '../../../app/places/databases.ts';
import type { CommandIo } from '../../io.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { invalidFlag } from '../../../config/mend.ts';
import { whoWorks } from '../../../app/run/who-works.ts';

export const rename = defineCommand({
  arguments: {
    campaign: { describe: 'the name of a campaign', required: true },
    name: { describe: 'its new name', required: true },
  },
  options: { ...databaseOptions, ...jsonOption },
  examples: [['rename leads spring', 'the history keeps the old name']],
  notes: `A list is run under the name of its file: \`callsheet run leads.csv\` after this example begins a new campaign;
\`callsheet run leads.csv --name spring\` goes on with this one.`,
  run: (args, io) =>
    withCampaign(args.campaign, args, io, 'write', async (store, campaign) => {
      const name = readName(args.name);
      await refuseTaken(name, args, io);
      await refuseAtWork(store, campaign, io);
      const detail = { from: campaign.name, to: name };
      const entry = { at: io.clock.now(), who: io.user, what: 'campaign.renamed', detail };
      const renamed = await store.changeCampaign(campaign.id, { name }, entry);
      const [before, after] = [campaign, renamed].map((each) => resultsFile(each, store.location));
      if (args.json)
        printJson(io, { campaign: name, before: campaign.name, resultsFile: after ?? null });
      say(
        io,
        `Campaign "${campaign.name}" is "${name}" now: \`callsheet run ${shellWord(name)}\`.`,
      );
      if (before !== after) say(io, `Its results go to ${after} from now on; ${before} stays.`);
      say(io, `A list or file that gave it its name needs --name ${shellWord(name)} from now on.`);
      return EXIT.ok;
    }),
});

function readName(text: string): string {
  const read = campaignName.safeParse(text);
  if (read.success) return read.data;
  throw invalidFlag(`"${text}" ${read.error.issues[0]?.message ?? 'is not a campaign name'}.`);
}

/** A name means one campaign over both databases: the real one and that of rehearsals. */
async function refuseTaken(name: string, flags: { db?: string | undefined }, io: CommandIo) {
  const taken = await findCampaign(name, flags, io);
  if (taken === undefined) return;
  throw new AppError(
    'CAMPAIGN_EXISTS',
    `There is a campaign "${name}" already, in ${taken.place.path}.`,
    { hint: 'choose another name; nothing was changed', exitCode: EXIT.usage },
  );
}

/** A run knows its campaign by name. */
async function refuseAtWork(store: Store, { id, name }: Campaign, io: CommandIo): Promise<void> {
  const { runner } = whoWorks(await store.runners(id), io);
  if (runner === null) return;
  throw new AppError(
    'CAMPAIGN_AT_WORK',
    `A runner works on campaign "${name}" now (${runner}); a campaign is renamed while none does.`,
    { hint: 'end it with Ctrl-C, then rename; nothing was changed', exitCode: EXIT.usage },
  );
}
