import type { ComponentChildren } from 'preact';
import { path } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/badge.tsx';
import { Empty, ProblemNotice } from '../parts/notice.tsx';
import { saveAndGo } from '../shell/navigation.ts';
import type { Sent } from './use-draft.tsx';

const STEPS = {
  upload: 'Upload',
  columns: 'Columns',
  rows: 'Rows',
  settings: 'Settings',
  plan: 'Plan',
} as const;
export type Step = keyof typeof STEPS;

export function isStep(text: string): text is Step {
  return Object.hasOwn(STEPS, text);
}

export function stepPath(name: string, step: Step): string {
  return `${path`/campaigns/${name}`}/${step}`;
}

/** The way to a campaign. @param name undefined: there is no draft yet, so that only the first step is there */
export function Steps({ name, current }: { name: string | undefined; current: Step }) {
  return (
    <nav aria-label="Steps">
      <ol class="tabs steps" role="list">
        {Object.entries(STEPS).map(([step, text], i) => {
          const isCurrent = step === current ? 'step' : undefined;
          const words = (
            <>
              <span class="step-number" aria-hidden="true">
                {i + 1}
              </span>
              <span class="step-text">{text}</span>
            </>
          );
          return (
            <li key={step}>
              {name === undefined ? (
                <span class="step" aria-current={isCurrent}>
                  {words}
                </span>
              ) : (
                <a class="step" href={stepPath(name, step as Step)} aria-current={isCurrent}>
                  {words}
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** The end of a step: on to the next one. */
export function NextStep({
  name,
  next,
  problem,
  isReady = true,
  children,
}: Partial<Pick<Sent, 'problem'>> & {
  name: string;
  next: Step;
  isReady?: boolean;
  /** What has to be known before going on. */
  children?: ComponentChildren;
}) {
  return (
    <div class="stack tight">
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <div class="row between step-end">
        <div class="soft">{children}</div>
        <Button
          kind="primary"
          disabled={!isReady}
          onClick={() => void saveAndGo(stepPath(name, next))}
        >
          On to the {STEPS[next].toLowerCase()}
          <Icon name="next" />
        </Button>
      </div>
    </div>
  );
}

export function NoList({ name }: { name: string }) {
  return (
    <Empty title="No list yet">
      <a href={stepPath(name, 'upload')}>Send one first</a>
    </Empty>
  );
}
