import type { Agents, Service, Services } from '../../../views/services.ts';
import { path } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { useSettings } from '../campaign/settings/setting-field.tsx';
import { SettingsTab } from '../campaign/settings/settings-tab.tsx';
import { SelectField } from '../parts/field.tsx';
import { ProblemNotice, Said } from '../parts/notice.tsx';
import { NextStep } from './steps.tsx';
import type { StepProps } from './use-draft.tsx';

/** Who calls, and all other settings, as any campaign has them. */
export function SettingsStep({ shown }: StepProps) {
  return (
    <div class="stack wide">
      <ServiceFields shown={shown} />
      <SettingsTab shown={shown} />
      <NextStep name={shown.campaign.name} next="plan" />
    </div>
  );
}

/** Service and agent: who makes the calls, and who speaks. */
function ServiceFields({ shown }: Pick<StepProps, 'shown'>) {
  const { service, agent, version } = shown.campaign;
  const services = useLoaded((signal) => get<Services>('/services', signal), []);
  const chosen = services.value?.items.find(({ name }) => name === service);
  const change = useSettings(shown, { now: (now) => `It calls by ${now.service || 'none'} now.` });
  const set = (key: 'service' | 'agent') => (value: string) => {
    if (value !== '') void change.run(version, { [key]: value });
  };
  const refused = change.problem ?? services.problem;
  const isAgent = change.problem?.code.startsWith('AGENT_') === true;
  return (
    <section class="card padded" aria-label="Who calls">
      <h2>Who calls</h2>
      <div class="columns">
        <SelectField
          label="Service"
          about={chosen === undefined ? 'Makes the calls' : aboutService(chosen)}
          value={service}
          problem={isAgent ? undefined : refused}
          onChange={set('service')}
          choices={[
            ...(service === '' ? [{ value: '', text: 'Choose a service' }] : []),
            ...(services.value?.items ?? []).map((one) => ({ value: one.name, text: nameOf(one) })),
          ]}
        />
        {chosen !== undefined && !chosen.simulated && (
          <AgentField
            key={service}
            service={service}
            value={agent}
            problem={isAgent ? refused : undefined}
            onChange={set('agent')}
          />
        )}
      </div>
      {change.question}
    </section>
  );
}

/** The agents of the service that is chosen; what was chosen is shown even when the service cannot be asked. */
function AgentField({
  service,
  ...field
}: {
  service: string;
  value: string;
  problem: Parameters<typeof SelectField>[0]['problem'];
  onChange: (value: string) => void;
}) {
  const { value: chosen } = field;
  const agents = useLoaded(
    (signal) => get<Agents>(path`/services/${service}/agents`, signal),
    [service],
  );
  const items = agents.value?.items ?? [];
  const isListed = chosen === '' || items.some(({ id }) => id === chosen);
  if (agents.problem !== undefined) return <ProblemNotice problem={agents.problem} />;
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
      {...field}
      choices={[
        ...(chosen === ''
          ? [{ value: '', text: agents.value ? 'Choose an agent' : 'Asking the service...' }]
          : []),
        ...items.map(({ id, name }) => ({ value: id, text: name ?? id })),
        ...(isListed ? [] : [{ value: chosen, text: chosen }]),
      ]}
    />
  );
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
