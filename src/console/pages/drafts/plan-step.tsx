import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import type { Problem } from '../../../views/fields.ts';
import type { PlanView as Planned } from '../../../views/plan.ts';
import { consoleNow } from '../api/client.ts';
import { useJob } from '../api/jobs.ts';
import { amount, lengthText, Time } from '../parts/values.tsx';
import { Icon } from '../parts/badge.tsx';
import { JobPanel } from '../parts/job-panel.tsx';
import { Loading, Notice, ProblemNotice, Said } from '../parts/notice.tsx';
import { limitOf, StartLimit } from '../parts/field.tsx';
import { NoList, stepPath } from './steps.tsx';
import { useDraftJob, type StepProps } from './use-draft.tsx';

interface StartOrder {
  /** False: only import. */
  start: boolean;
  /** A list that another campaign has called is called again. */
  again?: boolean;
  /** Calls at most, see `limitOf`. */
  limit?: number | string | null;
}

/** What can be done with a plan. Real people are called only after a word was typed, which the console asks for. */
function StartButtons({
  planned: { missing, callNow, callLater, begins, service },
  isBusy,
  isRehearsing,
  wasCalledBefore,
  problem,
  onRehearse,
  onStart,
}: {
  planned: Planned;
  isBusy: boolean;
  isRehearsing: boolean;
  wasCalledBefore: boolean;
  /** What is wrong with the limit. */
  problem: Problem | undefined;
  onRehearse: () => void;
  onStart: (order: StartOrder) => void;
}) {
  const isComplete = missing.length === 0;
  const [limit, setLimit] = useState('');
  return (
    <div class="row between step-end">
      <p class="soft">{whoIsCalled({ service, isComplete, begins })}</p>
      <div class="row tight">
        <button
          class="button quiet"
          type="button"
          disabled={!isComplete}
          aria-disabled={isBusy}
          title="The campaign is made with its lists; it is started from its page"
          onClick={() => {
            if (!isBusy) onStart({ start: false });
          }}
        >
          Only import
        </button>
        <button
          class="button"
          type="button"
          disabled={!isComplete}
          aria-disabled={isBusy || isRehearsing}
          title="All its nights against the embedded service: nobody is called"
          onClick={() => {
            if (!isBusy && !isRehearsing) onRehearse();
          }}
        >
          <Icon name="replay" />
          Rehearse
        </button>
        <StartLimit value={limit} problem={problem} onChange={setLimit} />
        <button
          class="button primary"
          type="button"
          disabled={!isComplete || callNow + callLater === 0}
          aria-disabled={isBusy}
          onClick={() => {
            const order = { start: true, limit: limitOf(limit) };
            if (!isBusy) onStart({ ...order, ...(wasCalledBefore && { again: true }) });
          }}
        >
          <Icon name="play" />
          {wasCalledBefore ? 'Call this list again' : `Start ${begins?.when ?? ''}`}
        </button>
      </div>
    </div>
  );
}

function whoIsCalled({
  service,
  isComplete,
  begins,
}: Pick<Planned, 'service' | 'begins'> & { isComplete: boolean }): string {
  if (!isComplete) return 'It can be started when nothing is missing.';
  const when = begins === null ? '' : ` ${begins.text}`;
  if (service?.live === true)
    return `Real people are called; you are asked to type a word first.${when}`;
  return `${service?.simulated === true ? 'The embedded service answers: nobody is called.' : ''}${when}`;
}

/** What would happen; rehearsed, started, or only imported from here. */
export function PlanStep({ shown, sent, jobs }: StepProps) {
  const { name, version, timezone } = shown.campaign;
  const { job, ...planning } = useDraftJob(shown.campaign, 'plan');
  const problem = planning.problem ?? sent.problem;
  const { begin } = jobs;
  const isRunning = (...kinds: string[]) => jobs.found.some(({ kind }) => kinds.includes(kind));
  const newest = jobs.found.findLast(({ kind }) => kind === 'call' || kind === 'import');
  const last = useJob(newest?.id);
  const isStarting = last !== undefined && last.endedAt === null;
  // What was refused of other lists says nothing of these.
  const isRefusedAsIs = last !== undefined && jobs.orderOf(last.id)?.['ifVersion'] === version;
  const isAboutLimit = begin.problem?.field === 'limit';
  if (sent.value?.lists.length === 0) return <NoList name={name} />;
  const planned = (job?.kind === 'plan' && job.result) || undefined;
  return (
    <div class="stack wide">
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {problem === undefined && job === undefined && <Loading what="the plan" />}
      {job !== undefined && planned === undefined && <JobPanel job={job} isQuiet />}
      {job !== undefined && job.problem !== null && (
        <p>
          <a href={stepPath(name, 'settings')}>Change the settings</a>, or{' '}
          <a href={stepPath(name, 'columns')}>the columns</a>.
        </p>
      )}
      {planned !== undefined && <PlanView planned={planned} zone={timezone} />}
      {begin.problem !== undefined && !isAboutLimit && <ProblemNotice problem={begin.problem} />}
      {planned !== undefined && (
        <StartButtons
          planned={planned}
          isBusy={begin.isBusy || isStarting || sent.isBusy}
          isRehearsing={isRunning('rehearse')}
          wasCalledBefore={isRefusedAsIs && last.problem?.code === 'LIST_CALLED_BEFORE'}
          problem={isAboutLimit ? begin.problem : undefined}
          onRehearse={() => void begin.run('rehearse', {})}
          onStart={({ start, ...order }) =>
            void (start
              ? begin.run('start', { ifVersion: version, ...order })
              : begin.run('import', {}))
          }
        />
      )}
    </div>
  );
}

/** What has to be chosen first, where the terminal names a flag. */
const MISSING: Readonly<Record<string, string>> = {
  '--service NAME': 'Choose the service that makes the calls.',
  '--agent ID': 'Choose the agent that speaks.',
  '--country CC': 'Some numbers have no country code: say which country they are of.',
};

/** How many would be called now, later and never, and how long it would take. */
function PlanView({ planned, zone }: { planned: Planned; zone: string }) {
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
      {lists.length > 0 && (
        <Sentences title="Lists" lines={lists.flatMap(({ text, zones }) => [text, ...zones])} />
      )}
      <Sentences
        title="How long it takes"
        lines={forecast === null ? [] : [forecast.sentences.join(' ')]}
      />
      <Sentences title="Who is never called" lines={never} />
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
        {forecast?.endsAt.middle == null ? (
          <span class="soft">–</span>
        ) : (
          <span class="figure-time">
            <Time at={forecast.endsAt.middle} zone={zone} />
          </span>
        )}
      </Figure>
    </dl>
  );
}

function left({ endsAt: { middle } }: NonNullable<Planned['forecast']>): number {
  return middle === null ? 0 : Math.max(0, Date.parse(middle) - consoleNow());
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
