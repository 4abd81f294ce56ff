import { useEffect, useState } from 'preact/hooks';
import type { Planned } from '../../../contract/drafts.ts';
import type { Job } from '../../../contract/jobs.ts';
import type { Services } from '../../../contract/services.ts';
import { useAction } from '../../api/action.ts';
import { path } from '../../api/addresses.ts';
import { get, send } from '../../api/client.ts';
import { useJob } from '../../api/jobs.ts';
import { useLoaded } from '../../api/loaded.ts';
import { Icon } from '../../parts/icon.tsx';
import { JobPanel } from '../../parts/job-panel.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { go } from '../../shell/navigation.ts';
import { stepPath } from '../steps.tsx';
import type { ShownDraft } from '../use-draft.tsx';
import { HoursFields } from './hours-fields.tsx';
import { missingField } from './missing-field.ts';
import { ServiceFields } from './service-fields.tsx';
import { fieldsOn } from './fields-on.ts';
import { MoreSettings, SettingFields, SettingsPart } from './setting-fields.tsx';
import { useSettingsForm } from './use-settings-form.ts';
import './settings.css';

/** Who calls, when, how fast and how often. Going on plans the campaign: what is refused then, stands at its field. */
export function SettingsStep({ shown }: { shown: ShownDraft }) {
  const { draft } = shown;
  const form = useSettingsForm(shown);
  const services = useLoaded((signal) => get<Services>('/services', signal), []);
  const [planning, setPlanning] = useState<string>();
  const job = useJob(planning);
  const goOn = useAction(async () => {
    form.refuse(undefined);
    setPlanning(undefined);
    if (!(await form.save({ step: 'plan' }))) return;
    setPlanning((await send<Job>('POST', path`/drafts/${draft.id}/plan`, {})).id);
  });
  useEffect(() => {
    if (job === undefined || job.endedAt === null) return;
    const [missing] = job.state === 'done' ? (job.result as Planned).missing : [];
    if (job.problem !== null) form.refuse(job.problem);
    else if (missing !== undefined) form.refuse(...missingField(missing));
    else go(stepPath(draft.id, 'plan'));
  }, [job?.id, job?.endedAt]);

  const service = services.value?.items.find(({ name }) => name === form.value('service'));
  const isPlanning = planning !== undefined && (job === undefined || job.endedAt === null);
  const refused = form.problem ?? goOn.problem ?? shown.problem;
  return (
    <form
      class="stack wide"
      aria-label="Settings"
      noValidate
      onChange={() => void form.save()}
      onSubmit={(event) => {
        event.preventDefault();
        void goOn.run();
      }}
    >
      {services.problem !== undefined && <ProblemNotice problem={services.problem} />}
      <ServiceFields form={form} services={services.value} />
      <HoursFields form={form} isLive={service?.live ?? true} />
      {(['How fast', 'Calling again', 'Results'] as const).map((part) => (
        <SettingsPart key={part} title={part}>
          <SettingFields form={form} fields={fieldsOn(part)} />
        </SettingsPart>
      ))}
      <MoreSettings form={form} />
      {refused !== undefined && <ProblemNotice problem={refused} />}
      {isPlanning && job !== undefined && <JobPanel job={job} isQuiet />}
      <div class="row between step-end">
        <div class="soft" role="status">
          {isPlanning && 'The plan is worked out...'}
        </div>
        <button class="button primary" type="submit" disabled={isPlanning || goOn.isBusy}>
          On to the plan
          <Icon name="next" />
        </button>
      </div>
    </form>
  );
}
