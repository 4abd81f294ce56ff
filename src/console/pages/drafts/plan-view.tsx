import type { ComponentChildren } from 'preact';
import type { Planned } from '../../contract/drafts.ts';
import { amount } from '../parts/amounts.ts';
import { Notice, Said } from '../parts/notice.tsx';
import { lengthText, Time } from '../parts/times.tsx';
import { stepPath } from './steps.tsx';

/** What has to be chosen first, where the terminal names a flag. */
const MISSING: Readonly<Record<string, string>> = {
  '--service NAME': 'Choose the service that makes the calls.',
  '--agent ID': 'Choose the agent that speaks.',
  '--country CC': 'Some numbers have no country code: say which country they are of.',
};

/** How many would be called now, later and never, and how long it would take. */
export function PlanView({ planned, zone }: { planned: Planned; zone: string }) {
  const { campaign, missing, problem, next, never, sentences, notes, forecast, lists } = planned;
  const change = (
    <a class="button small" href={stepPath(campaign, 'settings')}>
      Settings
    </a>
  );
  return (
    <div class="stack">
      {missing.map((one) => (
        <Notice key={one.give} tone="warn" action={change}>
          {MISSING[one.give] ?? one.why}
        </Notice>
      ))}
      {problem !== null && (
        <Notice tone="bad" next={next} action={change}>
          <Said text={problem} />
        </Notice>
      )}
      <Figures planned={planned} zone={zone} />
      {lists.length > 0 && <Sentences title="Lists" lines={lists.map((list) => list.sentence)} />}
      <Sentences
        title="How long it takes"
        lines={forecast === null ? [] : [forecast.sentences.join(' ')]}
      />
      <Sentences
        title="Who is never called"
        lines={never.map(({ sentence, people }) => `${sentence} (${amount(people)})`)}
      />
      <Sentences title="Good to know" lines={notes} />
      {sentences.length > 0 && (
        <details>
          <summary class="small-text">The plan in the words of the terminal</summary>
          <Lines lines={sentences} />
        </details>
      )}
    </div>
  );
}

function Figures({
  planned: { callNow, callLater, callNever, nextAt, forecast, service, agentName },
  zone,
}: {
  planned: Planned;
  zone: string;
}) {
  return (
    <dl class="figures plan-figures">
      <Figure
        label="Called now"
        note={service && [`by ${service.name}`, agentName].filter((one) => one !== null).join(', ')}
      >
        {amount(callNow)}
      </Figure>
      <Figure
        label="Called later"
        note={
          nextAt !== null && (
            <>
              from <Time at={nextAt} zone={zone} />
            </>
          )
        }
      >
        {amount(callLater)}
      </Figure>
      <Figure label="Never called">{amount(callNever)}</Figure>
      <Figure label="Through by" note={forecast && `in ${lengthText(left(forecast))}, about`}>
        {forecast?.middle == null ? (
          <span class="soft">–</span>
        ) : (
          <span class="figure-time">
            <Time at={forecast.middle} zone={zone} />
          </span>
        )}
      </Figure>
    </dl>
  );
}

function left({ middle }: NonNullable<Planned['forecast']>): number {
  return Math.max(0, (middle ?? Date.now()) - Date.now());
}

function Figure({
  label,
  note,
  children,
}: {
  label: string;
  note?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {children}
        {note !== undefined && note !== null && note !== false && <div class="note">{note}</div>}
      </dd>
    </div>
  );
}

function Sentences({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section class="stack tight" aria-label={title}>
      <h2>{title}</h2>
      <Lines lines={lines} />
    </section>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul class="stack tight small-text" role="list">
      {lines.map((line) => (
        <li key={line} class="break">
          <Said text={line} />
        </li>
      ))}
    </ul>
  );
}
