import type { Campaign } from '../../contract/campaigns.ts';
import { path } from '../api/addresses.ts';
import { amount, share } from '../parts/amounts.ts';
import { CampaignBadges } from '../parts/badge.tsx';
import { Icon } from '../parts/icon.tsx';
import { Time } from '../parts/times.tsx';

/** A row for each campaign: its state, how far it is, and what it waits for. */
export function CampaignTable({ campaigns }: { campaigns: readonly Campaign[] }) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="Campaigns">
      <table class="table campaigns">
        <thead>
          <tr>
            <th scope="col">Campaign</th>
            <th scope="col">Progress</th>
            <th scope="col" class="number">
              Waiting
            </th>
            <th scope="col" class="number">
              Calling
            </th>
            <th scope="col" class="number">
              Done
            </th>
            <th scope="col" class="number">
              Answered
            </th>
            <th scope="col" class="number">
              A minute
            </th>
            <th scope="col">Next</th>
          </tr>
        </thead>
        <tbody>
          {campaigns.map((campaign) => (
            <CampaignRow key={campaign.name} campaign={campaign} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CampaignRow({ campaign }: { campaign: Campaign }) {
  const { name, progress, attention, why, timezone, nextOpeningAt, openings, state } = campaign;
  const { total, waiting, calling, done } = progress;
  return (
    <tr>
      <th scope="row">
        <div class="row tight">
          <a class="break" href={path`/campaigns/${name}`}>
            {name}
          </a>
          <CampaignBadges state={state} simulated={campaign.simulated} />
          {campaign.archived && <span class="badge">put away</span>}
        </div>
        {attention !== null && (
          <p class="needs">
            <Icon name="warning" />
            <a
              href={
                attention === 'doubts' ? path`/campaigns/${name}/doubts` : path`/campaigns/${name}`
              }
            >
              {why}
            </a>
          </p>
        )}
      </th>
      <td>
        <Progress done={done} calling={calling} total={total} />
      </td>
      <td class="number">{amount(waiting)}</td>
      <td class="number">{amount(progress.held)}</td>
      <td class="number">{amount(done)}</td>
      <td class="number">{share(campaign.answeredRate)}</td>
      <td class="number">{campaign.perMinute === null ? '–' : amount(campaign.perMinute)}</td>
      <td>
        {state === 'running' && openings.now > 0 ? (
          'now'
        ) : nextOpeningAt === null ? (
          <span class="soft">–</span>
        ) : (
          <Time at={nextOpeningAt} zone={timezone} />
        )}
      </td>
    </tr>
  );
}

function Progress({ done, calling, total }: { done: number; calling: number; total: number }) {
  const part = (people: number) => `${total === 0 ? 0 : (people / total) * 100}%`;
  const text = `${amount(done)} of ${amount(total)} done`;
  return (
    <div class="progress-cell">
      <div class="bar" role="img" aria-label={text}>
        <span class="done" style={{ width: part(done) }} />
        <span class="calling" style={{ width: part(calling) }} />
      </div>
      <span class="soft number-like">{total === 0 ? '–' : share(done / total)}</span>
    </div>
  );
}
