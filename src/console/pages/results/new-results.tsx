import { useState } from 'preact/hooks';
import { momentsOf } from '../../../text/wall-clock.ts';
import type { CampaignDetail } from '../../contract/campaigns.ts';
import { useAction } from '../api/action.ts';
import { path } from '../api/addresses.ts';
import { sendForFile } from '../api/client.ts';
import { Icon } from '../parts/icon.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import type { Choice } from './choice.ts';
import { hasRows } from './has-rows.ts';

/** Takes the results that no earlier file of this kind has taken; they come once. */
export function NewResults({
  campaign: { name, timezone },
  wanted,
}: {
  campaign: CampaignDetail;
  wanted: Choice;
}) {
  const { format, per, only, columns, since } = wanted;
  const [told, setTold] = useState<string>();
  const taking = useAction(async () => {
    setTold(undefined);
    const file = await sendForFile(path`/campaigns/${name}/results`, {
      ...(format !== null && { format }),
      ...(only.length > 0 && { only }),
      ...(columns.length > 0 && { columns }),
      ...(since !== '' && { since: momentsOf(`${since}T00:00`, timezone)[0] }),
    });
    if (!(await hasRows(file, format))) {
      setTold('Nobody has become done since the last one: there is no file.');
      return;
    }
    const as = fileName(name, format);
    save(file, as);
    setTold(`${as} is saved. Its people count as taken from now on.`);
  });
  const isOfLeads = per === 'lead';
  return (
    <section class="stack tight new-results" aria-labelledby="new-results">
      <h3 id="new-results">Only new results</h3>
      <p class="soft small-text">
        Each person who is done comes once, and again only if their result changes: what an earlier
        one of these has taken, or <code>callsheet export --new</code>, is left out. The choice
        above holds. The file passes through the memory of the browser: beyond some hundred
        megabytes, take it with the command.
      </p>
      <div>
        <button
          class="button"
          type="button"
          disabled={taking.isBusy || !isOfLeads}
          onClick={() => void taking.run()}
        >
          <Icon name="download" />
          Take the new ones
        </button>
        {!isOfLeads && <span class="soft small-text"> A row for each lead alone.</span>}
      </div>
      <p role="status" class="small-text">
        {told}
      </p>
      {taking.problem !== undefined && <ProblemNotice problem={taking.problem} />}
    </section>
  );
}

const ENDINGS = { csv: 'csv', excel: 'csv', xlsx: 'xlsx', jsonl: 'jsonl' } as const;

/** As the command line names it: `spring-new-20260105T101500Z.csv`. */
function fileName(campaign: string, format: Choice['format']): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `${campaign}-new-${time}.${ENDINGS[format ?? 'csv']}`;
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has begun to save it before this comes to be run.
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, 60_000);
}
