import { useEffect, useState } from 'preact/hooks';

import type { Planned } from '../../../contract/drafts.ts';
import type { Job } from '../../../contract/common.ts';
import type { Agents, Service, Services } from '../../../contract/services.ts';
import { useAction } from '../../api/action.ts';
import { path } from '../../api/addresses.ts';
import { get, send } from '../../api/client.ts';
import { useJob } from '../../api/jobs.ts';
import { useLoaded } from '../../api/loaded.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { JobPanel } from '../../parts/job-panel.tsx';
import { ProblemNotice, Said } from '../../parts/notice.tsx';
import { go } from '../../shell/navigation.ts';
import { stepPath } from '../steps.tsx';
import type { ShownDraft } from '../use-draft.tsx';
import { fieldsOn, missingField } from './missing-field.ts';
import { HoursFields } from './hours-fields.tsx';
import { MoreSettings, SettingFields, SettingsPart } from './setting-fields.tsx';
import './settings.css';
import { useSettingsForm, type SettingsForm } from './use-settings-form.ts';

/** Name, service and agent: what the campaign is, who makes the calls, and who speaks. */
function ServiceFields({ form, services }: { form: SettingsForm; services: Services | undefined }) {
  const field = (key: string) => ({
    value: form.value(key),
    problem: form.problemOf(key),
    onChange: (value: string) => {
      form.set(key, value);
    },
  });
  const service = services?.items.find(({ name }) => name === form.value('service'));
  return (
    <SettingsPart title="Campaign">
      <div class="columns setting-fields">
        <TextField label="Name" autoComplete="off" {...field('name')} />
        <SelectField
          label="Service"
          about={service === undefined ? 'Makes the calls' : aboutService(service)}
          {...field('service')}
          choices={[
            { value: '', text: services === undefined ? 'Loading...' : 'Choose a service' },
            ...(services?.items ?? []).map((one) => ({ value: one.name, text: nameOf(one) })),
          ]}
        />
        {service !== undefined && <AgentField key={service.name} {...{ form, service, field }} />}
      </div>
      {services !== undefined && !services.fileExists && (
        <p class="soft small-text">
          Real people are called by a service of your own: see <a href="/services">Services</a>.
        </p>
      )}
    </SettingsPart>
  );
}

function AgentField({
  form,
  service,
  field,
}: {
  form: SettingsForm;
  service: Service;
  field: (key: string) => {
    value: string;
    problem: ReturnType<SettingsForm['problemOf']>;
    onChange: (value: string) => void;
  };
}) {
  const agents = useLoaded(
    (signal) => get<Agents>(path`/services/${service.name}/agents`, signal),
    [service.name],
  );
  const chosen = form.value('agent');
  if (agents.problem !== undefined) {
    return (
      <div class="stack tight">
        <TextField label="Agent, by its ID" autoComplete="off" {...field('agent')} />
        <ProblemNotice problem={agents.problem} />
      </div>
    );
  }
  const items = agents.value?.items ?? [];
  const isListed = chosen === '' || items.some(({ id }) => id === chosen);
  return (
    <SelectField
      label="Agent"
      about={
        agents.value !== undefined && items.length === 0 ? (
          <>
            The service has none yet: <a href="/agents">create one</a>
          </>
        ) : (
          'Speaks with people'
        )
      }
      {...field('agent')}
      choices={[
        { value: '', text: emptyChoice(agents.value === undefined, service) },
        ...items.map(({ id, name }) => ({ value: id, text: name ?? id })),
        ...(isListed ? [] : [{ value: chosen, text: chosen }]),
      ]}
    />
  );
}

function emptyChoice(isLoading: boolean, { simulated }: Service): string {
  if (isLoading) return 'Asking the service...';
  return simulated ? 'the embedded one' : 'Choose an agent';
}

function nameOf({ name, simulated, live }: Service): string {
  if (simulated) return `${name}: nobody is called`;
  return live ? `${name}: calls real people` : `${name}: on this machine`;
}

function aboutService({ problem, from, simulated }: Service) {
  if (problem !== null)
    return (
      <Said text={`${problem.detail} ${problem.hint === null ? '' : `Next: ${problem.hint}.`}`} />
    );
  if (simulated) return 'Embedded in callsheet, for trying things out';
  return from === null ? 'Makes the calls' : `Calls come from ${from}`;
}

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
