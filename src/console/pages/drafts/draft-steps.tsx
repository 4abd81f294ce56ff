import { useState } from 'preact/hooks';
import { path } from '../api/addresses.ts';
import { send } from '../api/client.ts';
import { useAction } from '../api/action.ts';
import { RenameDialog } from '../campaign/controls.tsx';
import type { ShownCampaign } from '../campaign/use-campaign.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Menu } from '../parts/menu.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { go } from '../shell/navigation.ts';
import './drafts.css';
import { ColumnsStep } from './lists/columns-step.tsx';
import { RowsStep } from './lists/rows-step.tsx';
import { UploadStep } from './lists/upload-step.tsx';
import { PlanStep } from './plan-step.tsx';
import { SettingsStep } from './settings-step.tsx';
import { Steps, type Step } from './steps.tsx';
import { useSent, type StepProps } from './use-draft.tsx';

const SHOW: Record<Step, (props: StepProps) => preact.JSX.Element | null> = {
  upload: UploadStep,
  columns: ColumnsStep,
  rows: RowsStep,
  settings: SettingsStep,
  plan: PlanStep,
};

/** What a draft without people has in place of the tabs of a campaign. */
export function DraftSteps({
  step,
  shown,
  jobs,
}: Pick<StepProps, 'shown' | 'jobs'> & { step: Step }) {
  const sent = useSent(shown);
  const Shown = SHOW[step];
  return (
    <>
      <Steps name={shown.campaign.name} current={step} />
      <Shown key={step} shown={shown} sent={sent} jobs={jobs} />
      {sent.question}
    </>
  );
}

/** A draft without people is renamed or given up; the rest is done in its steps. */
export function DraftControls({ shown }: { shown: ShownCampaign }) {
  const { name, version } = shown.campaign;
  const [dialog, setDialog] = useState<'rename' | 'remove'>();
  const close = () => {
    setDialog(undefined);
  };
  const removing = useAction(async () => {
    await send('DELETE', `${path`/campaigns/${name}`}?ifVersion=${version}`);
    go('/', { replace: true });
  });
  return (
    <>
      <Menu label="More">
        <button
          class="button quiet"
          type="button"
          onClick={() => {
            setDialog('rename');
          }}
        >
          Rename
        </button>
        <button
          class="button quiet"
          type="button"
          onClick={() => {
            setDialog('remove');
          }}
        >
          Give up
        </button>
      </Menu>
      {dialog === 'rename' && <RenameDialog shown={shown} onClose={close} />}
      {dialog === 'remove' && (
        <Confirm
          title={`Give up ${name}?`}
          does="Delete its lists and choices"
          isDanger
          isBusy={removing.isBusy}
          onYes={() => void removing.run()}
          onNo={close}
        >
          <p>Nobody of it was called. The files that you sent are deleted here.</p>
          {removing.problem !== undefined && <ProblemNotice problem={removing.problem} />}
        </Confirm>
      )}
    </>
  );
}
