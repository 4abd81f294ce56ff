import { Empty, Loading, Notice, ProblemNotice, Said } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import type { PageProps } from '../shell/navigation.ts';
import './drafts.css';
import { ColumnsStep } from './lists/columns-step.tsx';
import { RowsStep } from './lists/rows-step.tsx';
import { UploadStep } from './lists/upload-step.tsx';
import { PlanStep } from './plan/plan-step.tsx';
import { SettingsStep } from './settings/settings-step.tsx';
import { isStep, Steps, type Step } from './steps.tsx';
import { useDraft, type ShownDraft } from './use-draft.tsx';

const SHOW: Record<Step, (props: { shown: ShownDraft }) => preact.JSX.Element> = {
  upload: UploadStep,
  columns: ColumnsStep,
  rows: RowsStep,
  settings: SettingsStep,
  plan: PlanStep,
};

/** `/drafts/ID/STEP`: a new campaign that is filled in, left, and taken up again. */
export default function DraftPage({ parts: [id = '', step = ''] }: PageProps) {
  const { shown, problem, question, times } = useDraft(id);
  const crumbs = <a href="/">Campaigns</a>;
  if (shown === undefined) {
    return (
      <>
        <PageHead title="New campaign" crumbs={crumbs} />
        {problem === undefined && <Loading what="the new campaign" />}
        {problem?.status === 404 && (
          <Empty title="This new campaign is not here">
            <p>
              <Said text={`${problem.detail} Next: ${problem.hint ?? ''}.`} />
            </p>
            <a href="/">See the campaigns</a>
          </Empty>
        )}
        {problem !== undefined && problem.status !== 404 && <ProblemNotice problem={problem} />}
      </>
    );
  }
  const { draft } = shown;
  const current = isStep(step) ? step : draft.step;
  const Shown = SHOW[current];
  return (
    <>
      <PageHead title={draft.name === '' ? 'New campaign' : draft.name} crumbs={crumbs} />
      <Steps id={id} current={current} />
      <GoneLists shown={shown} />
      <Shown key={`${current} ${times}`} shown={shown} />
      {question}
    </>
  );
}

/** Lists of a draft that was left for longer than lists are kept. */
function GoneLists({ shown: { draft, change, isSaving } }: { shown: ShownDraft }) {
  const { gone } = draft;
  if (gone.length === 0) return null;
  const isOne = gone.length === 1;
  return (
    <Notice
      tone="warn"
      next={`Send ${isOne ? 'it' : 'them'} again by the same name: what you chose for ${isOne ? 'its' : 'their'} columns is kept.`}
      action={
        <button
          class="button small"
          type="button"
          disabled={isSaving}
          onClick={() => void change(() => ({ gone: [] }))}
        >
          Go on without
        </button>
      }
    >
      Lists are kept for a day: {gone.join(', ')} {isOne ? 'was' : 'were'} deleted.
    </Notice>
  );
}
