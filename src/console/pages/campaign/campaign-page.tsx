import { useEffect } from 'preact/hooks';

import { durationText } from '../../../text/amounts.ts';
import type { Campaign, CampaignDetail } from '../../../views/campaigns.ts';
import { consoleNow, path } from '../api/client.ts';
import { amount, counted, Time } from '../parts/values.tsx';
import { CampaignBadges } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Empty, Notice, ProblemNotice, Reading, Said, type Tone } from '../parts/notice.tsx';
import { PageHead, Tabs } from '../parts/page-head.tsx';
import { Table } from '../parts/tables/table.tsx';
import { lazy } from '../shell/lazy.tsx';
import { go, params, setParams, type PageProps } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import { CampaignJob, useCampaignJobs, type CampaignJobs } from './campaign-jobs.tsx';
import './campaign.css';
import { Controls, MainAction } from './controls.tsx';
import { DraftControls, DraftSteps } from '../drafts/draft-steps.tsx';
import { isStep } from '../drafts/steps.tsx';
import { DoubtsTab } from './doubts/doubts-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { SettingsTab } from './settings/settings-tab.tsx';
import { type ShownCampaign, useCampaign } from './use-campaign.tsx';

const TONES: Readonly<Partial<Record<CampaignDetail['status']['is'], Tone>>> = {
  needs_you: 'bad',
  interrupted: 'bad',
  still: 'warn',
  paused: 'warn',
  calling: 'good',
};

/** What the campaign does now, why, until when, and what a person can do about it. */
function StatusLine({ shown, jobs }: { shown: ShownCampaign; jobs: CampaignJobs }) {
  const { status, attention, until, begins } = shown.campaign;
  // The sentence names the time itself: hours may open before the schedule begins calls.
  const at = begins?.isOn === true ? (begins.at ?? until) : until;
  const ahead = at === null || status.is !== 'waiting' ? NaN : Date.parse(at) - consoleNow();
  return (
    <section class="status-line" aria-label="Status" data-attention={attention}>
      <Notice
        tone={TONES[status.is] ?? 'plain'}
        next={
          (status.reason !== null || ahead > 0) && (
            <>
              {status.reason !== null && <Said text={status.reason} />}{' '}
              {ahead > 0 && `In ${durationText(ahead)}.`}
            </>
          )
        }
        action={
          may('operator') && (
            <div class="row tight">
              <Remedy campaign={shown.campaign} />
              <MainAction shown={shown} jobs={jobs} isTold />
            </div>
          )
        }
      >
        <strong>{status.text}</strong>
      </Notice>
    </section>
  );
}

/** Where a person does what is needed first. */
const REMEDIES: Readonly<Partial<Record<string, readonly [text: string, address: string]>>> = {
  key: ['See Services', '/services'],
  profile: ['See Services', '/services'],
  breaker: ['See Services', '/services'],
  doubts: ['Settle the calls in doubt', 'NAME/doubts'],
  list_too_old: ['Import a newer list', '/suppression'],
  never_open: ['Change hours or rules', 'NAME/settings?change=hours'],
  budget: ['Change the budget', 'NAME/settings?change=stop'],
};

function Remedy({ campaign: { name, situation } }: { campaign: Campaign }) {
  const [text, address] = REMEDIES[situation] ?? [];
  return address === undefined ? null : (
    <a class="button" href={address.replace('NAME', () => path`/campaigns/${name}`)}>
      {text}
    </a>
  );
}

const SHOWN_AT_FIRST = 200;

/** Who did what when, the newest first. */
function HistoryTab({ campaign: { history, timezone } }: { campaign: CampaignDetail }) {
  const isAll = params.value.get('all') === '1';
  const newest = history.toReversed().slice(0, isAll ? undefined : SHOWN_AT_FIRST);
  const older = history.length - newest.length;
  return (
    <section class="stack">
      <h2 class="visually-hidden">History</h2>
      <Table kind="history" label="History" heads={['When', 'What']}>
        {newest.map(({ at, text }, i) => (
          <tr key={history.length - i}>
            <td>
              <Time at={at} zone={timezone} />
            </td>
            <td class="break">
              <Said text={text} />
            </td>
          </tr>
        ))}
      </Table>
      {older > 0 && (
        <div>
          <Button onClick={() => setParams({ all: '1' })}>
            Show {counted(older, 'older entry', 'older entries')}
          </Button>
        </div>
      )}
    </section>
  );
}

const PeopleTab = lazy(() => import('../people/people-tab.tsx'));
const ResultsTab = lazy(() => import('../results/results-tab.tsx'));

const TABS: readonly { part: string; text: (campaign: CampaignDetail) => string }[] = [
  { part: '', text: () => 'Overview' },
  { part: 'people', text: () => 'People' },
  {
    part: 'doubts',
    text: ({ doubts }) => (doubts === 0 ? 'Doubts' : `Doubts (${amount(doubts)})`),
  },
  { part: 'results', text: () => 'Results' },
  { part: 'settings', text: () => 'Settings' },
  { part: 'history', text: () => 'History' },
];

/** `/campaigns/NAME` and its tabs. */
export default function CampaignPage({ parts: [name = '', part = ''] }: PageProps) {
  const { shown, problem } = useCampaign(name);
  const jobs = useCampaignJobs(name, shown?.campaign.version);
  const gone = problem?.status === 404 && <Gone why={problem.detail} />;
  if (gone !== false && shown === undefined) return gone;
  if (shown === undefined) {
    return (
      <>
        <PageHead title={name} />
        <Reading of={{ problem }} what="the campaign" />
      </>
    );
  }
  const { campaign } = shown;
  const at = path`/campaigns/${name}`;
  // What is sent, chosen and planned before it has people, is seen by those who may do it.
  const isNew = campaign.state === 'draft' && campaign.total === 0 && may('operator');
  const tab = !isNew && isStep(part) && part !== 'settings' ? '' : part;
  return (
    <>
      <PageHead
        title={campaign.name}
        badge={<CampaignBadges {...campaign} />}
        crumbs={<a href="/">Campaigns</a>}
      >
        {isNew && <DraftControls shown={shown} />}
        {!isNew && may('operator') && (
          <>
            {tab !== '' && <MainAction shown={shown} jobs={jobs} />}
            <Controls shown={shown} jobs={jobs} />
          </>
        )}
      </PageHead>
      {gone}
      {problem !== undefined && problem.status >= 500 && <ProblemNotice problem={problem} />}
      {!isNew && (
        <Tabs
          label={`Of ${campaign.name}`}
          tabs={TABS.map((one) => ({
            href: one.part === '' ? at : `${at}/${one.part}`,
            text: one.text(campaign),
            isCurrent: one.part === tab,
          }))}
        />
      )}
      {!isNew && tab === '' && <StatusLine shown={shown} jobs={jobs} />}
      {jobs.found.map(({ id }) => (
        <CampaignJob key={id} id={id} jobs={jobs} shown={shown} isOverview={isNew || tab === ''} />
      ))}
      {part !== tab && <Replaced by={at} />}
      {isNew ? (
        <DraftSteps step={isStep(tab) ? tab : 'upload'} shown={shown} jobs={jobs} />
      ) : (
        <Tab tab={tab} shown={shown} jobs={jobs} />
      )}
    </>
  );
}

function Tab({ tab, shown, jobs }: { tab: string; shown: ShownCampaign; jobs: CampaignJobs }) {
  const { campaign } = shown;
  switch (tab) {
    case '':
      return <OverviewTab shown={shown} />;
    case 'people':
      return <PeopleTab campaign={campaign} jobs={jobs} />;
    case 'doubts':
      return <DoubtsTab shown={shown} jobs={jobs} />;
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

/** The address of a step of a draft that has people now. */
function Replaced({ by }: { by: string }) {
  useEffect(() => go(by, { replace: true }), [by]);
  return null;
}

function Gone({ why }: { why: string }) {
  return (
    <Empty title="This campaign is not here">
      <p>{why}</p>
      <a href="/">See the campaigns</a>
    </Empty>
  );
}
