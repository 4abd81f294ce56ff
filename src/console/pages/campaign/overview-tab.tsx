import { path } from '../api/addresses.ts';
import { amount, otherDials, share } from '../parts/amounts.ts';
import { may } from '../shell/session.ts';
import { CallsInProgress, EndedCalls } from './calls.tsx';
import { Limits } from './limits.tsx';
import { LiveCharts } from './live-charts.tsx';
import { Outcomes } from './outcomes.tsx';
import type { ShownCampaign } from './use-campaign.ts';

/** A campaign at a glance, as it goes. */
export function OverviewTab({ shown }: { shown: ShownCampaign }) {
  const { campaign } = shown;
  const { state, progress } = campaign;
  const isOver = ['completed', 'cancelled'].includes(state) && progress.held === 0;
  return (
    <>
      <Figures shown={shown} />
      {!isOver && <LiveCharts samples={shown.samples} zone={campaign.timezone} />}
      <div class="columns">
        <div class="stack wide">
          <CallsInProgress shown={shown} />
          <EndedCalls shown={shown} />
        </div>
        <div class="stack wide">
          <Outcomes campaign={campaign} />
          {may('operator') && <Limits shown={shown} />}
          <About shown={shown} />
        </div>
      </div>
    </>
  );
}

function Figures({ shown: { campaign } }: { shown: ShownCampaign }) {
  const { progress, openings, concurrency, answeredRate, perMinute } = campaign;
  const { total, waiting, held, done } = progress;
  const calling = Math.max(0, total - waiting - done);
  const width = (count: number) => ({ width: `${total === 0 ? 0 : (count / total) * 100}%` });
  return (
    <div class="stack tight">
      <dl class="figures" aria-label="Figures">
        <Figure name="Waiting" value={amount(waiting)}>
          {openingsText(openings)}
        </Figure>
        <Figure name="Calling" value={amount(held)}>
          of {amount(concurrency)} slots
        </Figure>
        <Figure name="Done" value={amount(done)}>
          of {amount(total)} people
        </Figure>
        <Figure name="Answered" value={share(answeredRate)}>
          of those with a result
        </Figure>
        <Figure name="Calls a minute" value={perMinute === null ? '–' : amount(perMinute)}>
          in the last minute
        </Figure>
        <Figure name="Calls made" value={amount(progress.dials.made)}>
          {otherDials(progress.dials)}
        </Figure>
      </dl>
      <div
        class="bar"
        role="img"
        aria-label={`${amount(done)} done, ${amount(calling)} calling, ${amount(waiting)} waiting`}
      >
        <span class="done" style={width(done)} />
        <span class="calling" style={width(calling)} />
      </div>
    </div>
  );
}

function Figure({
  name,
  value,
  children,
}: {
  name: string;
  value: string;
  children: preact.ComponentChildren;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value} <div class="note">{children}</div>
      </dd>
    </div>
  );
}

function openingsText({
  now,
  later,
  never,
}: {
  now: number;
  later: number;
  never: number;
}): string {
  const parts = [
    now > 0 && `${amount(now)} now`,
    later > 0 && `${amount(later)} later`,
    never > 0 && `${amount(never)} never`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'nobody' : parts.join(', ');
}

function About({ shown: { campaign } }: { shown: ShownCampaign }) {
  const { service, agent, timezone, runner, budget, lists, settings, name } = campaign;
  return (
    <section class="card padded">
      <header>
        <h2>About</h2>
        <a class="small-text" href={`${path`/campaigns/${name}`}/settings`}>
          All settings
        </a>
      </header>
      <dl class="facts">
        <dt>Service</dt>
        <dd>{service}</dd>
        <dt>Agent</dt>
        <dd>{agent}</dd>
        <dt>Rules</dt>
        <dd>{settings['rules']}</dd>
        <dt>Time zone</dt>
        <dd>{timezone}</dd>
        <dt>Called by</dt>
        <dd>{runner ?? 'nobody now'}</dd>
        {budget !== null && (
          <>
            <dt>Budget</dt>
            <dd>{budget}</dd>
          </>
        )}
        {lists.map((list) => (
          <>
            <dt>List {list.number}</dt>
            <dd>
              {list.path.split('/').at(-1)}: {amount(list.good)} taken, {amount(list.duplicates)}{' '}
              duplicates, {amount(list.suppressed)} suppressed, {amount(list.rejected)} refused
              {!list.finished && '; its import is not finished'}
            </dd>
          </>
        ))}
      </dl>
    </section>
  );
}
