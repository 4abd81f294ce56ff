import type { ComponentChildren } from 'preact';

import { onTheLine } from '../../../domain/situation.ts';
import type { Campaign, Campaigns } from '../../../views/campaigns.ts';
import { path, query } from '../api/client.ts';
import { everySecond, useRead } from '../api/loaded.ts';
import { amount, counted, machineZone, share, Time } from '../parts/values.tsx';
import { CampaignBadges, Icon } from '../parts/badge.tsx';
import { Empty, Reading, Said } from '../parts/notice.tsx';
import { CheckField } from '../parts/field.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { params, setParams } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import './campaigns.css';

type Is = Campaign['status']['is'];
const NEEDS_A_PERSON: readonly Is[] = ['needs_you', 'interrupted', 'still'];
/** Nobody is called, as somebody wants it. */
const PLANNED: readonly Is[] = ['waiting', 'paused'];
/** The order of campaigns. */
const PLACES: readonly Is[] = [...NEEDS_A_PERSON, 'calling', ...PLANNED, 'draft', 'over'];
const byPlace = (a: Campaign, b: Campaign) =>
  PLACES.indexOf(a.status.is) - PLACES.indexOf(b.status.is);

/** One campaign: how far it is, how it goes, and what a person is needed for. */
function CampaignRow({ campaign }: { campaign: Campaign }) {
  const { name, service, agent, simulated, status, archived } = campaign;
  const by = [agent && `agent ${agent}`, simulated ? 'simulated service' : service];
  return (
    <li class="campaign">
      <div class="stack tight">
        <div class="row tight">
          <h2>
            <a href={path`/campaigns/${name}`} class="break">
              {name}
            </a>
          </h2>
          <CampaignBadges {...campaign} />
          {archived && <span class="badge">archived</span>}
        </div>
        <p class="soft small-text">
          Made <Time at={campaign.createdAt} />
          {by.filter(Boolean).map((one) => `, ${one}`)}
        </p>
      </div>
      <HowFar campaign={campaign} />
      <dl class="campaign-figures">
        <Figure label="Answered">
          {share(campaign.answerRate)} of {counted(campaign.dials.made - campaign.open, 'call')}
        </Figure>
        <Figure label="Calls a minute">
          {campaign.shown === 'running' && campaign.perMinute !== null
            ? amount(Math.round(campaign.perMinute))
            : '–'}
        </Figure>
        <Figure label="Last call">
          <Time at={campaign.lastCallAt} />
        </Figure>
        <Figure label="Next opening">
          <Time at={campaign.until} zone={campaign.timezone} />
        </Figure>
      </dl>
      {(NEEDS_A_PERSON.includes(status.is) || PLANNED.includes(status.is)) && (
        <p class={`campaign-says break ${PLANNED.includes(status.is) ? 'soft' : ''}`}>
          {NEEDS_A_PERSON.includes(status.is) && <Icon name="warning" />}
          <span>
            {status.text} {status.reason !== null && <Said text={status.reason} />}
            {campaign.timezone !== machineZone.value && ` (times in ${campaign.timezone})`}
          </span>
        </p>
      )}
    </li>
  );
}

function HowFar({ campaign }: { campaign: Campaign }) {
  const { name, total, waiting, calling, unknown, done } = campaign;
  const onLine = onTheLine(campaign);
  const awaited = calling - unknown - onLine;
  if (total === 0)
    return (
      <p class="soft small-text">
        {campaign.state === 'draft' ? 'Its list is imported when it is started' : 'No people yet'}
      </p>
    );
  const width = (part: number) => ({ width: `${(100 * part) / total}%` });
  return (
    <div class="stack tight">
      <div
        class="bar"
        role="progressbar"
        aria-label={`${name}: people who are done`}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        <span class="done" style={width(done)} />
        <span style={width(calling)} />
      </div>
      <p class="small-text number">
        {amount(waiting)} waiting · {amount(onLine)} on the line ·{' '}
        {awaited > 0 && `${counted(awaited, 'result')} awaited · `}
        {unknown > 0 && `${amount(unknown)} in doubt · `}
        {amount(done)} done
        <span class="soft"> of {amount(total)}</span>
      </p>
    </div>
  );
}

function Figure({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div>
      <dt class="soft small-text">{label}</dt>
      <dd class="number">{children}</dd>
    </div>
  );
}

/** `/`: all campaigns as they are now; `?archived=true` shows archived ones, too. */
export default function CampaignsPage() {
  const withArchived = params.value.get('archived') === 'true';
  const { value, problem } = useRead<Campaigns>(
    `/campaigns${query({ archived: withArchived || null })}`,
    everySecond,
  );
  const { items: campaigns, hidden = 0 } = value ?? {};
  const isEmpty = campaigns?.length === 0;
  return (
    <>
      <PageHead title="Campaigns" about={`Times in ${machineZone.value}`}>
        {may('operator') && (
          <a class="button primary" href="/new">
            <Icon name="plus" />
            New campaign
          </a>
        )}
      </PageHead>
      <Reading of={{ value, problem }} what="the campaigns" />
      {isEmpty && hidden === 0 && <NoCampaigns />}
      {isEmpty && hidden > 0 && (
        <Empty title="No campaign here">
          <p>
            {counted(hidden, 'archived campaign')} {hidden === 1 ? 'is' : 'are'} left out; the box
            below shows {hidden === 1 ? 'it' : 'them'}.
          </p>
        </Empty>
      )}
      {campaigns !== undefined && !isEmpty && (
        <ul class="card campaigns" role="list" aria-label="Campaigns">
          {campaigns.toSorted(byPlace).map((campaign) => (
            <CampaignRow key={campaign.name} campaign={campaign} />
          ))}
        </ul>
      )}
      {(hidden > 0 || withArchived) && (
        <CheckField
          checked={withArchived}
          onChange={(checked) => setParams({ archived: checked ? 'true' : null })}
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
          <a class="button" href="/new?service=simulated">
            Try one on the simulated service
          </a>
          <p>
            It calls nobody. <a href="/services">Services that call people</a>
          </p>
        </>
      ) : (
        <p>It shows here as soon as somebody who may run campaigns has begun one.</p>
      )}
    </Empty>
  );
}
