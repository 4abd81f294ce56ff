import type { ComponentChildren } from 'preact';
import type { Campaign } from '../../contract/campaigns.ts';
import { path } from '../api/addresses.ts';
import { amount, share } from '../parts/amounts.ts';
import { CampaignBadges } from '../parts/badge.tsx';
import { Icon } from '../parts/icon.tsx';
import { Said } from '../parts/said.tsx';
import { Time } from '../parts/times.tsx';

/** One campaign: how far it is, how it goes, and what a person is needed for. */
export function CampaignRow({ campaign }: { campaign: Campaign }) {
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
          {campaign.state === 'running' && campaign.perMinute !== null
            ? amount(Math.round(campaign.perMinute))
            : '–'}
        </Figure>
        <Figure label="Next opening">
          <Time at={campaign.nextOpeningAt} zone={timezone} />
        </Figure>
      </dl>
      {isLeft(campaign) && (
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

/** A person is needed, or people wait and nobody calls them. */
function isLeft({ attention, runner, state, progress }: Campaign): boolean {
  const goesOn = state === 'draft' || state === 'running';
  return attention !== null || (goesOn && runner === null && progress.waiting > 0);
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
