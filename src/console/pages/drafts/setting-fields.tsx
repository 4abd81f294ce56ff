import { useState } from 'preact/hooks';
import type { Agent, Service } from '../../contract/services.ts';
import { path } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Field, SelectField } from '../parts/field.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';

type FieldProblem = Parameters<typeof Field>[0]['problem'];

/** A line of text that is kept when its field is left, or with Enter. */
export function SettingField({
  label,
  about,
  value,
  problem,
  placeholder = '',
  onCommit,
}: {
  label: string;
  about: string;
  value: string;
  problem: FieldProblem;
  placeholder?: string;
  onCommit: (value: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  return (
    <Field label={label} about={about} problem={problem}>
      {(control) => (
        <input
          {...control}
          class="input"
          placeholder={placeholder}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
          }}
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== value) onCommit(currentTarget.value);
          }}
        />
      )}
    </Field>
  );
}

/** Services by name, with what keeps one from being used. */
export function ServiceField({
  value,
  problem,
  onChange,
}: {
  value: string | null;
  problem: FieldProblem;
  onChange: (service: string | null) => void;
}) {
  const services = useLoaded((signal) => get<{ items: Service[] }>('/services', signal), []);
  const items = services.value?.items ?? [];
  const chosen = items.find(({ name }) => name === value);
  return (
    <div class="stack tight">
      <SelectField
        label="Service"
        about="The embedded service calls nobody: it is for rehearsals."
        value={value ?? ''}
        problem={problem ?? services.problem}
        onChange={(name) => {
          onChange(name === '' ? null : name);
        }}
        choices={[
          { value: '', text: 'Choose a service' },
          ...items.map(({ name, simulated, live }) => ({
            value: name,
            text: simulated ? `${name} (embedded, calls nobody)` : live ? `${name} (live)` : name,
          })),
        ]}
      />
      {chosen?.problem != null && (
        <Notice tone="warn" next={chosen.problem.hint}>
          {chosen.problem.detail}
        </Notice>
      )}
    </div>
  );
}

/** Agents by name; where the service does not list them, their ID is typed. */
export function AgentField({
  service,
  value,
  problem,
  onChange,
}: {
  service: string | null;
  value: string | null;
  problem: FieldProblem;
  onChange: (agent: string | null) => void;
}) {
  const agents = useLoaded<{ items: Agent[] } | null>(
    (signal) =>
      service === null
        ? Promise.resolve(null)
        : get<{ items: Agent[] }>(path`/services/${service}/agents`, signal),
    [service],
  );
  const items = agents.value?.items ?? [];
  if (items.length > 0) {
    return (
      <SelectField
        label="Agent"
        about="Who speaks in the calls."
        value={value ?? ''}
        problem={problem}
        onChange={(id) => {
          onChange(id === '' ? null : id);
        }}
        choices={[
          { value: '', text: service === 'simulated' ? 'Any' : 'Choose an agent' },
          ...items.map(({ id, name }) => ({
            value: id,
            text: name === null ? id : `${name} (${id})`,
          })),
        ]}
      />
    );
  }
  return (
    <div class="stack tight">
      <SettingField
        label="Agent"
        about="Its ID at the service."
        value={value ?? ''}
        problem={problem}
        onCommit={(id) => {
          onChange(id.trim() === '' ? null : id.trim());
        }}
      />
      {agents.problem !== undefined && <ProblemNotice problem={agents.problem} />}
    </div>
  );
}
