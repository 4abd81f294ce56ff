import { dirname, join, resolve } from 'node:path';
import { invalidFlag } from '../../config/hints.ts';
import type { CampaignState } from '../../domain/campaign.ts';
import { figuresOf, type Figures } from '../../results/figures.ts';
import { writeReport } from '../../results/report/write.ts';
import { withCampaign } from '../places/databases.ts';
import { requireOutput } from '../places/output-file.ts';
import type { World } from '../world.ts';

interface Named {
  campaign: string;
  db?: string | undefined;
}

export interface ReportRequest extends Named {
  /** The file as it was given; `-`: the standard output; undefined: beside the results. */
  output: string | undefined;
  /** A file that callsheet did not write may be replaced. */
  force: boolean;
  /** So many of the newest calls are on the page. */
  calls: number;
}

/**
 * Writes a campaign as one page for a browser.
 *
 * @returns how many calls are on it, and the path; null: the standard output
 * @throws AppError `FLAG_INVALID` (exit 2), those of `requireOutput` and `writeReport`
 */
export function reportCampaign(
  { output, force, calls, ...named }: ReportRequest,
  world: World,
): Promise<{ rows: number; path: string | null }> {
  return withCampaign(named.campaign, named, world, 'read', async (store, campaign) => {
    const file = join(dirname(store.location), 'results', `${campaign.name}.html`);
    const to = output === '-' ? world.data : resolve(world.cwd, output ?? file);
    if (typeof to === 'string') await requireOutput(to, { store, force }, world);
    refuseEnding(output);
    return writeReport({ store, campaign, to, calls, at: world.clock.now() });
  });
}

/** A report under the name of another kind of file opens in the wrong program. */
function refuseEnding(output: string | undefined): void {
  const ending = /\.[a-z0-9]+$/i.exec(output ?? '')?.[0];
  if (ending === undefined || /^\.(html?|xhtml|tmp|part)$/i.test(ending)) return;
  throw invalidFlag(
    `-o "${output ?? ''}" ends in ${ending}, and a report is a web page; name a file that ends in .html (a browser prints it as PDF; \`callsheet export\` writes tables).`,
  );
}

export interface CampaignFigures {
  name: string;
  state: CampaignState;
  timezone: string;
  figures: Figures;
}

/** The figures of a campaign at one moment. */
export function summarizeCampaign(named: Named, world: World): Promise<CampaignFigures> {
  return withCampaign(named.campaign, named, world, 'read', (store, { id }) =>
    store.snapshot(id, async (snapshot) => {
      const { name, state, settings } = snapshot.campaign;
      return { name, state, timezone: settings.timezone, figures: await figuresOf(snapshot) };
    }),
  );
}
