import type { ComponentChildren } from 'preact';
import type { Draft } from '../../contract/drafts.ts';
import { path } from '../api/addresses.ts';
import { Icon } from '../parts/icon.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { go } from '../shell/navigation.ts';
import type { ShownDraft } from './use-draft.tsx';

export type Step = Draft['step'];

const STEPS: readonly { step: Step; text: string }[] = [
  { step: 'upload', text: 'Upload' },
  { step: 'columns', text: 'Columns' },
  { step: 'rows', text: 'Rows' },
  { step: 'settings', text: 'Settings' },
  { step: 'plan', text: 'Plan' },
];

export function isStep(text: string): text is Step {
  return STEPS.some(({ step }) => step === text);
}

export function stepPath(id: string, step: Step): string {
  return `${path`/drafts/${id}`}/${step}`;
}

/** The way to a campaign. @param id undefined: there is no draft yet, so that only the first step is there */
export function Steps({ id, current }: { id: string | undefined; current: Step }) {
  return (
    <nav aria-label="Steps">
      <ol class="steps" role="list">
        {STEPS.map(({ step, text }, i) => {
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
              {id === undefined ? (
                <span class="step" aria-current={step === current ? 'step' : undefined}>
                  {words}
                </span>
              ) : (
                <a
                  class="step"
                  href={stepPath(id, step)}
                  aria-current={step === current ? 'step' : undefined}
                >
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

/** The end of a step: on to the next one, which is where the draft is taken up again. */
export function NextStep({
  shown: { draft, change, problem, isSaving },
  next,
  isReady = true,
  children,
}: {
  shown: ShownDraft;
  next: Step;
  isReady?: boolean;
  /** What has to be known before going on. */
  children?: ComponentChildren;
}) {
  const text = STEPS.find(({ step }) => step === next)?.text.toLowerCase() ?? next;
  const goOn = async () => {
    if (await change(() => ({ step: next }))) go(stepPath(draft.id, next));
  };
  return (
    <div class="stack tight">
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <div class="row between step-end">
        <div class="soft">{children}</div>
        <button
          class="button primary"
          type="button"
          disabled={!isReady || isSaving}
          onClick={() => void goOn()}
        >
          On to the {text}
          <Icon name="next" />
        </button>
      </div>
    </div>
  );
}
