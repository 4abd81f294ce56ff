import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { withCampaign } from '../../../app/places/databases.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { shellWord } from '../../../text/shell-word.ts';

export const archive = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...databaseOptions,
    undo: { type: 'switch', describe: 'take it back' },
    ...jsonOption,
  },
  examples: [
    ['archive spring', '`callsheet list` leaves it out; `callsheet list --all` shows it'],
    ['archive spring --undo', 'it is listed again, and may be run'],
  ],
  notes: `Only where nobody waits and no call is open or in doubt. Results, show and collect work as before, and whoever was
called by it was called.`,
  run: (args, io) =>
    withCampaign(args.campaign, args, io, 'write', async (store, campaign) => {
      const { id, name, archivedAt } = campaign;
      const isThere = (archivedAt !== undefined) !== args.undo;
      const now = io.clock.now();
      if (!isThere) {
        const what = args.undo ? 'campaign.unarchived' : 'campaign.archived';
        const change = { archivedAt: args.undo ? null : now };
        await store.changeCampaign(id, change, { at: now, who: io.user, what, detail: {} });
      }
      if (args.json) printJson(io, { campaign: name, archived: !args.undo, changed: !isThere });
      const already = isThere ? ' already' : '';
      const back = `\`callsheet archive ${shellWord(name)} --undo\` takes it back`;
      say(
        io,
        args.undo
          ? `Campaign "${name}" is not archived${isThere ? '' : ' any more'}.`
          : `Campaign "${name}" is archived${already}; its calls still count as made. ${back}.`,
      );
      return EXIT.ok;
    }),
});
