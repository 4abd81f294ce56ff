import type { CampaignDetail } from '../../contract/campaigns.ts';
import { counted } from '../parts/amounts.ts';
import { Time } from '../parts/times.tsx';
import { Table } from '../parts/tables/table.tsx';
import { params, setParams } from '../shell/navigation.ts';

const SHOWN_AT_FIRST = 200;

/** Who did what when, the newest first. */
export function HistoryTab({ campaign: { history, timezone } }: { campaign: CampaignDetail }) {
  const isAll = params.value.get('all') === '1';
  const newest = history.toReversed().slice(0, isAll ? undefined : SHOWN_AT_FIRST);
  const older = history.length - newest.length;
  return (
    <section class="stack">
      <h2 class="visually-hidden">History</h2>
      <Table kind="history" label="History" heads={['When', 'Who', 'What']}>
        {newest.map(({ at, who, what, text }, i) => (
          <tr key={history.length - i}>
            <td>
              <Time at={at} zone={timezone} />
            </td>
            <td class="nowrap">{who}</td>
            <td class="break">
              {WORDS[what] ?? what} {detailOf(text, who, what)}
            </td>
          </tr>
        ))}
      </Table>
      {older > 0 && (
        <div>
          <button
            class="button"
            type="button"
            onClick={() => {
              setParams({ all: '1' });
            }}
          >
            Show {counted(older, 'older entry', 'older entries')}
          </button>
        </div>
      )}
    </section>
  );
}

/** What was done, for people. */
const WORDS: Readonly<Record<string, string>> = {
  'campaign.created': 'created the campaign',
  'campaign.started': 'started the campaign',
  'campaign.paused': 'paused the campaign',
  'campaign.resumed': 'resumed the campaign',
  'campaign.completed': 'everybody is done',
  'campaign.cancelled': 'cancelled the campaign',
  'campaign.cancelUndone': 'took the cancelling back',
  'campaign.changed': 'changed settings',
  'campaign.renamed': 'renamed the campaign',
  'campaign.archived': 'archived the campaign',
  'campaign.unarchived': 'took it out of the archive',
  'lead.cancelled': 'withdrew a person',
  'lead.cancelUndone': 'took the withdrawal of a person back',
  'leads.returned': 'people came back',
  'leads.synced': 'a list was brought into line',
  'list.givenUp': 'gave up an import',
  'attempt.resolved': 'settled a call in doubt',
  'attempt.contradicted': 'evidence contradicts what was known',
  'agent.seen': 'the agent was seen',
  'agent.changed': 'the agent was changed at the service',
};

/** What follows "who: what" in an entry's sentence. */
function detailOf(text: string, who: string, what: string): string {
  const begin = `${who}: ${what}`;
  return (text.startsWith(begin) ? text.slice(begin.length) : text).trim();
}
