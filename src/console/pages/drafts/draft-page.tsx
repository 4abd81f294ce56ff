import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Draft } from '../../contract/drafts.ts';
import { path } from '../api/addresses.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Loading } from '../parts/loading.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import type { PageProps } from '../shell/page-props.ts';
import { ColumnsStep } from './columns-step.tsx';
import { PlanStep } from './plan-step.tsx';
import { RowsStep } from './rows-step.tsx';
import { SettingsStep } from './settings-step.tsx';
import { UploadStep } from './upload-step.tsx';
import { useDraft, type StepProps } from './use-draft.ts';
import './drafts.css';

const STEPS = [
  { name: 'upload', text: 'Upload', show: UploadStep },
  { name: 'columns', text: 'Columns', show: ColumnsStep },
  { name: 'rows', text: 'Rows', show: RowsStep },
  { name: 'settings', text: 'Settings', show: SettingsStep },
  { name: 'plan', text: 'Plan', show: PlanStep },
] as const satisfies readonly {
  name: Draft['step'];
  text: string;
  show: FunctionComponent<StepProps>;
}[];

/** A new campaign, step by step; each has an address, so that it can be left and taken up again. */
export default function DraftPage({ parts: [id = '', given] }: PageProps) {
  const state = useDraft(id);
  const draft = state.loaded.value;
  const at = Math.max(
    0,
    STEPS.findIndex(({ name }) => name === (given ?? draft?.step)),
  );
  const step = STEPS[at] ?? STEPS[0];
  useEffect(() => {
    // Where it is taken up again, from the list of campaigns.
    if (draft !== undefined && draft.step !== step.name) state.change(() => ({ step: step.name }));
  }, [draft?.id, step.name]);
  if (draft === undefined) {
    return state.loaded.problem === undefined ? (
      <Loading what="the draft" />
    ) : (
      <>
        <PageHead title="New campaign" crumbs={<a href="/">Campaigns</a>} />
        <ProblemNotice problem={state.loaded.problem} />
      </>
    );
  }
  const next = STEPS[at + 1];
  const before = STEPS[at - 1];
  const name = draft.name === '' ? (draft.files[0]?.name ?? 'New campaign') : draft.name;
  return (
    <>
      <PageHead
        title={name}
        badge={<span class="badge">new</span>}
        crumbs={<a href="/">Campaigns</a>}
      />
      <nav aria-label="Steps">
        <ol class="steps" role="list">
          {STEPS.map(({ name: one, text }, i) => (
            <li key={one}>
              <a href={path`/drafts/${id}/${one}`} aria-current={i === at ? 'step' : undefined}>
                <span class="step-number" aria-hidden="true">
                  {i + 1}
                </span>
                {text}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <step.show draft={draft} state={state} />
      {state.problem !== undefined && step.name !== 'settings' && (
        <ProblemNotice problem={state.problem} />
      )}
      <div class="row between">
        {before === undefined ? (
          <span />
        ) : (
          <a class="button" href={path`/drafts/${id}/${before.name}`}>
            Back to {before.text.toLowerCase()}
          </a>
        )}
        {next !== undefined && (
          <a class="button primary" href={path`/drafts/${id}/${next.name}`}>
            On to {next.text.toLowerCase()}
          </a>
        )}
      </div>
      {state.overtaken !== undefined && (
        <Confirm
          title="Somebody else has changed this draft"
          does="Change it all the same"
          isBusy={state.isBusy}
          onYes={() => {
            state.settle(true);
          }}
          onNo={() => {
            state.settle(false);
          }}
        >
          <p>
            {state.overtaken.now.who} changed it meanwhile, so your change was not made. Shall it be
            made on top of theirs?
          </p>
        </Confirm>
      )}
    </>
  );
}
