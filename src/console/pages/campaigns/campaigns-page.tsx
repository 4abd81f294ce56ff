import { CheckField } from '../parts/field.tsx';
import { counted } from '../parts/amounts.ts';
import { Empty } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { params, setParams } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import { CampaignRow } from './campaign-row.tsx';
import './campaigns.css';
import { DraftList } from './draft-list.tsx';
import { useCampaigns } from './use-campaigns.ts';

/** `/`: all campaigns as they are now, and those that are being prepared; `?archived=true` shows archived ones, too. */
export default function CampaignsPage() {
  const withArchived = params.value.get('archived') === 'true';
  const { campaigns, hidden, problem } = useCampaigns(withArchived);
  const isEmpty = campaigns?.length === 0;
  return (
    <>
      <PageHead title="Campaigns">
        {may('operator') && (
          <a class="button primary" href="/new">
            <Icon name="plus" />
            New campaign
          </a>
        )}
      </PageHead>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {may('operator') && <DraftList />}
      {campaigns === undefined && problem === undefined && <Loading what="the campaigns" />}
      {isEmpty && hidden === 0 && <NoCampaigns />}
      {isEmpty && hidden > 0 && (
        <Empty title="No campaign here">
          <p>{counted(hidden, 'campaign')} of before is archived; the box below shows them.</p>
        </Empty>
      )}
      {campaigns !== undefined && !isEmpty && (
        <ul class="card campaigns" role="list" aria-label="Campaigns, the newest first">
          {campaigns.map((campaign) => (
            <CampaignRow key={campaign.name} campaign={campaign} />
          ))}
        </ul>
      )}
      {(hidden > 0 || withArchived) && (
        <CheckField
          checked={withArchived}
          onChange={(checked) => {
            setParams({ archived: checked ? 'true' : null });
          }}
        >
          Archived campaigns, too{hidden > 0 && ` (${hidden})`}
        </CheckField>
      )}
    </>
  );
}

function NoCampaigns() {
  return (
    <Empty title="No campaign yet">
      {may('operator') ? (
        <>
          <p>
            A campaign calls the people of a list. Send one as CSV or Excel; nobody is called before
            you have seen the plan and started it.
          </p>
          <a href="/new">Begin with a list</a>
        </>
      ) : (
        <p>It shows here as soon as somebody who may run campaigns has begun one.</p>
      )}
    </Empty>
  );
}
