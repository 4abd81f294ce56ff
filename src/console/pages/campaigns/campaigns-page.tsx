import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import type { Campaign } from '../../contract/campaigns.ts';
import type { ProblemBody } from '../../contract/common.ts';
import type { Draft } from '../../contract/drafts.ts';
import { useAction } from '../api/action.ts';
import { path, query } from '../api/addresses.ts';
import { get, send } from '../api/client.ts';
import { everySecond, useLoaded } from '../api/loaded.ts';
import { amount, counted, share } from '../parts/amounts.ts';
import { CampaignBadges } from '../parts/badge.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Empty, Loading, ProblemNotice, Said } from '../parts/notice.tsx';
import { CheckField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Time } from '../parts/times.tsx';
import { params, setParams } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import './campaigns.css';

/**
 * All campaigns, the newest first, as they are now.
 *
 * @returns `hidden`: how many archived ones are left out
 */
function useCampaigns(withArchived: boolean): {
  campaigns: Campaign[] | undefined;
  hidden: number;
  problem: ProblemBody | undefined;
} {
  const { value, problem } = useLoaded(
    (signal, before?: { items: Campaign[]; hidden: number }) =>
      get(`/campaigns${query({ archived: withArchived || null })}`, signal, before),
    [withArchived],
    everySecond,
  );
  return { campaigns: value?.items, hidden: value?.hidden ?? 0, problem };
}

/** One campaign: how far it is, how it goes, and what a person is needed for. */
function CampaignRow({ campaign }: { campaign: Campaign }) {
  const { name, timezone, service, simulated, why, archived } = campaign;
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
          {simulated ? 'embedded service' : service}, begun{' '}
          <Time at={campaign.createdAt} zone={timezone} />
        </p>
      </div>
      <HowFar campaign={campaign} />
      <dl class="campaign-figures">
        <Figure label="Answered">{share(campaign.answeredRate)}</Figure>
        <Figure label="Calls a minute">
          {campaign.shown === 'running' && campaign.perMinute !== null
            ? amount(Math.round(campaign.perMinute))
            : '–'}
        </Figure>
        <Figure label="Next opening">
          <Time at={campaign.nextOpeningAt} zone={timezone} />
        </Figure>
      </dl>
      {(campaign.attention !== null || campaign.isUncalled) && (
        <p class="campaign-needs break">
          <Icon name="warning" />
          <span>
            <Said text={why} />
          </span>
        </p>
      )}
    </li>
  );
}

function HowFar({ campaign: { name, progress } }: { campaign: Campaign }) {
  const { total, waiting, calling, done } = progress;
  const width = (part: number) => ({ width: `${total === 0 ? 0 : (100 * part) / total}%` });
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
        <span class="calling" style={width(calling)} />
      </div>
      <p class="small-text number">
        {amount(waiting)} waiting <Dot /> {amount(calling)} calling <Dot /> {amount(done)} done
        <span class="soft"> of {amount(total)}</span>
      </p>
    </div>
  );
}

function Dot() {
  return (
    <span class="soft" aria-hidden="true">
      ·
    </span>
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

/** New campaigns that were begun and left: to be taken up where they were left, or given up. */
function DraftList() {
  const drafts = useLoaded((signal) => get<{ items: Draft[] }>('/drafts', signal), []);
  const [given, setGiven] = useState<Draft>();
  const removing = useAction(async ({ id }: Draft) => {
    await send('DELETE', path`/drafts/${id}`);
    drafts.reload();
    setGiven(undefined);
  });
  if (drafts.problem !== undefined) return <ProblemNotice problem={drafts.problem} />;
  const items = drafts.value?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section class="stack tight" aria-label="In preparation">
      <ul class="card drafts" role="list">
        {items.map((draft) => (
          <li key={draft.id}>
            <div>
              <div class="row tight">
                <h2>{nameOf(draft)}</h2>
                <span class="badge">in preparation</span>
              </div>
              <p class="soft small-text break">
                {listsOf(draft)}, changed by {draft.who} <Time at={draft.changedAt} />
              </p>
            </div>
            <div class="row tight">
              <a
                class="button small"
                href={`${path`/drafts/${draft.id}`}/${draft.step}`}
                aria-label={`Go on with ${nameOf(draft)}`}
              >
                Go on
              </a>
              <button
                class="button quiet small"
                type="button"
                aria-label={`Give up ${nameOf(draft)}`}
                onClick={() => {
                  removing.forget();
                  setGiven(draft);
                }}
              >
                Give up
              </button>
            </div>
          </li>
        ))}
      </ul>
      {given !== undefined && (
        <Confirm
          title={`Give up ${nameOf(given)}?`}
          does="Delete its lists and choices"
          isDanger
          isBusy={removing.isBusy}
          onYes={() => void removing.run(given)}
          onNo={() => {
            setGiven(undefined);
          }}
        >
          <p>Nobody of it was called. Its lists are deleted from the console.</p>
          {removing.problem !== undefined && <ProblemNotice problem={removing.problem} />}
        </Confirm>
      )}
    </section>
  );
}

function listsOf({ files, gone }: Draft): string {
  const sent = files.map(({ name }) => name);
  const deleted = gone.map((name) => `${name} (deleted after a day)`);
  return [...sent, ...deleted].join(', ') || 'no list yet';
}

function nameOf({ name }: Draft): string {
  return name === '' ? 'A new campaign' : name;
}

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
