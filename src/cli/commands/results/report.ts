import { dirname, join, resolve } from 'node:path';
import { writeReport } from '../../../results/report/write.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { withCampaign } from '../../../app/places/databases.ts';
import { databaseOptions, jsonOption, wholeNumber } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { requireOutput } from '../../../app/places/output-file.ts';
import { counted } from '../../../text/plural.ts';
import { invalidFlag } from '../../../config/mend.ts';

/** A browser shows so many without trouble. */
const MOST_CALLS = 20_000;

export const report = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...databaseOptions,
    output: {
      type: 'text',
      alias: 'o',
      describe: 'the file; default <campaign>.html beside the results; -: stdout',
    },
    force: { type: 'switch', describe: 'replace a file that callsheet did not write' },
    calls: {
      type: 'text',
      describe: 'so many of the newest calls with their transcripts; 0: none',
      default: '500',
    },
    ...jsonOption,
  },
  examples: [
    ['report spring -o spring.html', 'charts, tables and transcripts on one page'],
    ['report spring --calls 0', 'figures only: no numbers, no transcripts'],
  ],
  run: (args, io) =>
    withCampaign(args.campaign, args, io, 'read', async (store, campaign) => {
      const calls = wholeNumber('--calls', args.calls, { min: 0, max: MOST_CALLS });
      const path = args.output ?? join(dirname(store.location), 'results', `${campaign.name}.html`);
      const to = path === '-' ? io.data : resolve(io.cwd, path);
      if (typeof to === 'string') await requireOutput(to, { store, force: args.force }, io);
      refuseEnding(args.output);
      const at = io.clock.now();
      const { rows, path: written } = await writeReport({ store, campaign, to, calls, at });
      if (args.json && written !== null)
        printJson(io, { campaign: campaign.name, file: written, calls: rows });
      if (written !== null) say(io, `Report: ${written} (${counted(rows, 'call')})`);
      return EXIT.ok;
    }),
});

/** A report under the name of another kind of file opens in the wrong program. */
function refuseEnding(output: string | undefined): void {
  const ending = /\.[a-z0-9]+$/i.exec(output ?? '')?.[0];
  if (ending === undefined || /^\.(html?|xhtml|tmp|part)$/i.test(ending)) return;
  throw invalidFlag(
    `-o "${output ?? ''}" ends in ${ending}, and a report is a web page; name a file that ends in .html (a browser prints it as PDF; \`callsheet export\` writes tables).`,
  );
}
