import { lazy } from '../shell/lazy.tsx';
import { may } from '../shell/session.ts';
import type { PageProps } from '../shell/page-props.ts';
import type { CampaignDetail } from '../../contract/campaigns.ts';
import { path } from '../api/addresses.ts';
import { CampaignBadges } from '../parts/badge.tsx';
import { amount } from '../parts/amounts.ts';
import { Empty } from '../parts/empty.tsx';
import { Loading } from '../parts/loading.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Tabs } from '../parts/tabs.tsx';
import './campaign.css';
import { CampaignJob, useCampaignJobs } from './campaign-jobs.tsx';
import { Controls } from './controls.tsx';
import { DoubtsTab } from './doubts/doubts-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { SettingsTab } from './settings/settings-tab.tsx';
import { StatusNotice } from './status-notice.tsx';
import { useCampaign, type ShownCampaign } from './use-campaign.ts';

const PeopleTab = lazy(() => import('../people/people-tab.tsx'));
const ResultsTab = lazy(() => import('../results/results-tab.tsx'));

const TABS: readonly { part: string; text: (campaign: CampaignDetail) => string }[] = [
  { part: '', text: () => 'Overview' },
  { part: 'people', text: () => 'People' },
  {
    part: 'doubts',
    text: ({ progress: { doubts } }) => (doubts === 0 ? 'Doubts' : `Doubts (${amount(doubts)})`),
  },
  { part: 'results', text: () => 'Results' },
  { part: 'settings', text: () => 'Settings' },
  { part: 'history', text: () => 'History' },
];

/** `/campaigns/NAME` and its tabs. */
export default function CampaignPage({ parts: [name = '', tab = ''] }: PageProps) {
  const { shown, problem } = useCampaign(name);
  const jobs = useCampaignJobs(name, shown?.campaign.version);
  const gone = problem?.status === 404 && <Gone why={problem.detail} />;
  if (gone !== false && shown === undefined) return gone;
  if (shown === undefined) {
    return (
      <>
        <PageHead title={name} />
        {problem === undefined ? (
          <Loading what="the campaign" />
        ) : (
          <ProblemNotice problem={problem} />
        )}
      </>
    );
  }
  const { campaign } = shown;
  const at = path`/campaigns/${name}`;
  return (
    <>
      <PageHead
        title={campaign.name}
        badge={<CampaignBadges {...campaign} />}
        crumbs={<a href="/">Campaigns</a>}
      >
        {may('operator') && <Controls shown={shown} jobs={jobs} />}
      </PageHead>
      {gone}
      {problem !== undefined && problem.status >= 500 && <ProblemNotice problem={problem} />}
      <Tabs
        label={`Of ${campaign.name}`}
        tabs={TABS.map(({ part, text }) => ({
          href: part === '' ? at : `${at}/${part}`,
          text: text(campaign),
          isCurrent: part === tab,
        }))}
      />
      {tab === '' && <StatusNotice campaign={campaign} />}
      {jobs.found.map(({ id }) => (
        <CampaignJob key={id} id={id} jobs={jobs} shown={shown} isOverview={tab === ''} />
      ))}
      <Tab tab={tab} shown={shown} />
    </>
  );
}

function Tab({ tab, shown }: { tab: string; shown: ShownCampaign }) {
  const { campaign } = shown;
  switch (tab) {
    case '':
      return <OverviewTab shown={shown} />;
    case 'people':
      return <PeopleTab campaign={campaign} />;
    case 'doubts':
      return <DoubtsTab shown={shown} />;
    case 'results':
      return <ResultsTab campaign={campaign} />;
    case 'settings':
      return <SettingsTab shown={shown} />;
    case 'history':
      return <HistoryTab campaign={campaign} />;
    default:
      return (
        <Empty title="There is no such page">
          <a href={path`/campaigns/${campaign.name}`}>See the campaign</a>
        </Empty>
      );
  }
}

function Gone({ why }: { why: string }) {
  return (
    <Empty title="This campaign is not here">
      <p>{why}</p>
      <a href="/">See the campaigns</a>
    </Empty>
  );
}
