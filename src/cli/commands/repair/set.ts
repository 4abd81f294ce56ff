import { resolveSettings } from '../../../config/settings.ts';
import { AppError, EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { withCampaign } from '../../../app/places/databases.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { invalidFlag } from '../../../config/mend.ts';
import { whoWorks } from '../../../app/run/who-works.ts';

/** Keys of a campaign file that are not settings: what they say belongs to a run. */
const NOT_SET = ['name', 'leads', 'service'];

export const set = defineCommand({
  arguments: {
    campaign: { describe: 'the name of a campaign', required: true },
    setting: { describe: 'key=value, with the keys of a campaign file', several: true },
  },
  options: { ...databaseOptions, ...jsonOption },
  examples: [
    ['set spring concurrency=10 pace=60/min', 'for its next run; the change is printed and kept'],
    ['set spring pace=none', 'a limit is taken away'],
  ],
  notes:
    'campaigns/example.yaml shows every key. `callsheet status <campaign>` shows the history of changes.',
  run: (args, io) =>
    withCampaign(args.campaign, args, io, 'write', async (store, campaign) => {
      const sets = args.setting;
      refuseApart(sets, campaign.name);
      for (const text of sets) refuseOthers(text, campaign.name);
      const { settings, changes } = resolveSettings({
        sets,
        setFlag: 'set',
        stored: campaign.settings,
        cwd: io.cwd,
        defaults: { timezone: io.timezone },
      });
      if (args.json) printJson(io, { campaign: campaign.name, changes });
      if (changes.length === 0) {
        say(io, `"${campaign.name}" is set so already; nothing was changed.`);
        return EXIT.ok;
      }
      const detail: Record<string, unknown> = {};
      for (const { key, from, to } of changes) {
        say(io, `${key} ${from} -> ${to}`);
        detail[key] = { from, to, source: 'callsheet set' };
      }
      await store.changeCampaign(
        campaign.id,
        { settings },
        { at: io.clock.now(), who: io.user, what: 'campaign.changed', detail },
      );
      const { runner } = whoWorks(await store.runners(campaign.id), io);
      if (runner !== null) {
        say(
          io,
          `The run that works on it now (${runner}) goes on with what it began with; stop it with Ctrl-C and run \`callsheet run ${shellWord(campaign.name)}\` to use this.`,
        );
      }
      return EXIT.ok;
    }),
});

/** `concurrency 10`: the command that was meant is said. @throws AppError `SETTING_INVALID` (exit 2) */
function refuseApart(words: readonly string[], campaign: string): void {
  const [key = '', value] = words;
  if (value === undefined || words.length % 2 === 1) return;
  if (words.some((word) => word.includes('='))) return;
  const pairs = words.flatMap((word, index) =>
    index % 2 === 0 ? [`${word}=${shellWord(words[index + 1] ?? '')}`] : [],
  );
  throw new AppError('SETTING_INVALID', `set "${key}" is not key=value: "${value}" stands apart.`, {
    hint: `\`callsheet set ${shellWord(campaign)} ${pairs.join(' ')}\``,
    exitCode: EXIT.usage,
  });
}

function refuseOthers(text: string, campaign: string): void {
  const key = text.split('=')[0]?.trim() ?? '';
  if (!NOT_SET.includes(key.split('.')[0] ?? '')) return;
  throw invalidFlag(
    `"${key}" is not a setting of a campaign; \`callsheet run ${shellWord(campaign)}\` takes its list and its service.`,
  );
}
