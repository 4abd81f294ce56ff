import { dirname, join } from 'node:path';
import { invalidFlag } from '../../config/hints.ts';
import { figuresOf } from '../../results/figures.ts';
import { writeReport } from '../../results/report/write.ts';
import { withCampaign, type CampaignRequest } from '../places/databases.ts';
import type { World } from '../world.ts';
import { outputOf, type OutputRequest } from './export.ts';

/**
 * Writes a campaign as one page for a browser.
 *
 * @param request.calls how many of the newest calls the page shows
 * @returns how many calls are on the page, and its path; null: the standard output
 * @throws AppError `FLAG_INVALID` (exit 2), those of `requireOutput` and `writeReport`
 */
export function reportCampaign(request: OutputRequest & { calls: number }, world: World) {
  return withCampaign(request, world, 'read', async (open) => {
    const { store, campaign } = open;
    const file = join(dirname(store.location), 'results', `${campaign.name}.html`);
    const to = await outputOf(request, file, open);
    refuseEnding(request.output);
    const { calls } = request;
    return writeReport({ store, campaign, to, calls, at: world.clock.now() });
  });
}

/** Refuses the ending of another kind of file, because the report would open in the wrong program. */
function refuseEnding(output: string | undefined): void {
  const ending = /\.[a-z0-9]+$/i.exec(output ?? '')?.[0];
  if (ending === undefined || /^\.(html?|xhtml|tmp|part)$/i.test(ending)) return;
  throw invalidFlag(
    `-o "${output ?? ''}" ends in ${ending}, and a report is a web page; name a file that ends in .html (a browser prints it as PDF; \`callsheet export\` writes tables).`,
  );
}

/** The figures of a campaign at one moment. */
export function summarizeCampaign(request: CampaignRequest, world: World) {
  return withCampaign(request, world, 'read', ({ store, campaign }) =>
    store.snapshot(campaign.id, async (snapshot) => {
      const { name, state, settings } = snapshot.campaign;
      return { name, state, timezone: settings.timezone, figures: await figuresOf(snapshot) };
    }),
  );
}
