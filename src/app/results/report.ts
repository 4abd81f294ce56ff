import { join } from 'node:path';

import { invalidFlag } from '../../config/campaign-file.ts';
import { nightText } from '../../domain/nights/night.ts';
import { figureLines } from '../../results/figure-lines.ts';
import { changeOfNight, figuresOf } from '../../results/figures.ts';
import { writeReport } from '../../results/report/page.ts';
import { findNight, shownNight, type NightRequest } from '../nights/nights.ts';
import { withCampaign, type CampaignRequest } from '../places/databases.ts';
import type { Summary } from '../../views/results.ts';
import type { World } from '../world.ts';
import { outputOf, type OutputRequest } from './export.ts';

interface ReportRequest extends OutputRequest, NightRequest {
  /** How many of the newest calls the page shows. */
  calls: number;
}

/**
 * Writes a campaign as one page for a browser.
 * @returns how many calls are on the page, and its path; null: the standard output
 */
export function reportCampaign(request: ReportRequest, world: World) {
  return withCampaign(request, world, 'read', async (open) => {
    const { store, campaign } = open;
    const folder = join(store.folder, 'results');
    const file = join(folder, `${campaign.name}.html`);
    const to = await outputOf(request, file, open);
    refuseEnding(request.output);
    const night = await findNight(store, campaign, request.night);
    const change = night === null ? null : await changeOfNight(store, campaign, night);
    const page = change === null ? null : { change, alone: true };
    const at = world.clock.now();
    const { calls } = request;
    return writeReport({ store, campaign, to, calls, at, night: page });
  });
}

/** Refuses the ending of another kind of file: the report would open in the wrong program. */
function refuseEnding(output: string | undefined): void {
  const ending = /\.[a-z0-9]+$/i.exec(output ?? '')?.[0];
  if (ending === undefined || /^\.(html?|xhtml|tmp|part)$/i.test(ending)) return;
  throw invalidFlag(
    `-o "${output ?? ''}" ends in ${ending}, and a report is a web page; name a file that ends in .html (a browser prints it as PDF; \`callsheet export\` writes tables).`,
  );
}

/** The figures of a campaign at one moment, or of one of its nights. */
export function summarizeCampaign(
  request: CampaignRequest & NightRequest,
  world: World,
): Promise<Summary> {
  return withCampaign(request, world, 'read', async ({ store, campaign }) => {
    const night = await findNight(store, campaign, request.night);
    return store.snapshot(campaign.id, async (snapshot) => {
      const { name, state, settings } = snapshot.campaign;
      const figures = await figuresOf(snapshot, { night });
      const shown = night === null ? null : shownNight(night);
      return { campaign: name, state, timezone: settings.timezone, night: shown, figures };
    });
  });
}

/** The figures of a campaign, or of one of its nights, as lines with bars for a fixed-width font. */
export function summaryLinesOf({ campaign, night, timezone, figures }: Summary): string[] {
  const of =
    night === 'before' ? 'before nights were kept' : `night of ${nightText({ date: night ?? '' })}`;
  return figureLines(night === null ? campaign : `${campaign}, ${of}`, timezone, figures);
}
