import type { CampaignList } from '../../app/watch/campaigns.ts';
import { counted } from '../../text/plural.ts';
import type { Io } from '../io.ts';
import { printFittedTable } from '../terminal/fitted-table.ts';
import { printJson, say } from '../terminal/output.ts';
import { campaignJson, progressJson, worksJson } from './json-times.ts';
import { nobodyCalls, statusRow, STATUS_HEADERS } from './status-row.ts';

/** What `list`, and `status` without a name, print. */
export function printCampaigns(
  { campaigns, hidden, database }: CampaignList,
  json: boolean,
  io: Io,
): void {
  if (json) {
    printJson(
      io,
      campaigns.map(({ campaign, progress, works, heldUpBy }) => {
        const { timezone } = campaign.settings;
        return {
          ...campaignJson(campaign),
          ...progressJson(progress, timezone),
          ...worksJson(works, timezone),
          heldUpBy,
        };
      }),
    );
  } else if (campaigns.length > 0) {
    printFittedTable(io, STATUS_HEADERS, campaigns.map(statusRow));
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
    const none = database.exists ? '' : ': there is no such file yet';
    say(
      io,
      `No campaign is in ${database.path}${none}; \`callsheet run LIST --agent ID\` begins one.`,
    );
  }
}
