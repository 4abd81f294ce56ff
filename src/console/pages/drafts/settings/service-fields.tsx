import type { Agents, Service, Services } from '../../../contract/services.ts';
import { path } from '../../api/addresses.ts';
import { get } from '../../api/client.ts';
import { useLoaded } from '../../api/loaded.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { Said } from '../../parts/said.tsx';
import { SettingsPart } from './setting-fields.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** Name, service and agent: what the campaign is, who makes the calls, and who speaks. */
export function ServiceFields({
  form,
  services,
}: {
  form: SettingsForm;
  services: Services | undefined;
}) {
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
