import { useState } from 'preact/hooks';

import type { Agent, Agents, Services } from '../../../views/services.ts';
import { path, query, Refusal, send } from '../api/client.ts';
import { useRead } from '../api/loaded.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, FormDialog, useOver } from '../parts/dialog.tsx';
import { Field, SelectField, TextField, useForm } from '../parts/field.tsx';
import { Copyable } from '../parts/forms/controls.tsx';
import { Empty, Lines, Loading, Notice, ProblemNotice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Facts } from '../parts/sheet.tsx';
import { Table } from '../parts/tables/table.tsx';
import { counted } from '../parts/values.tsx';
import { params, setParams, setsParam } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import './agents.css';

/** One agent with its whole prompt. */
function AgentDrawer({ agent, service }: { agent: Agent; service: string }) {
  const { id, name, systemPrompt, voice } = agent;
  return (
    <Dialog
      kind="drawer"
      title={name ?? 'Agent without a name'}
      onClose={() => setParams({ agent: null })}
    >
      <Facts
        rows={[
          ['Id', <Copyable key="id" text={id} what="the id" />],
          ['Service', service],
        ]}
      />
      {may('operator') && (
        <div>
          <a class="button primary" href={`/new${query({ service, agent: id })}`}>
            New campaign with this agent
          </a>
        </div>
      )}
      <section class="stack tight">
        <h3>Prompt</h3>
        {systemPrompt === null ? (
          <p class="soft">The service does not show it.</p>
        ) : (
          <p class="prompt break">{systemPrompt}</p>
        )}
      </section>
      {voice !== null && (
        <section class="stack tight">
          <h3>Voice</h3>
          <Lines label="Voice" lines={JSON.stringify(voice, null, 2).split('\n')} />
        </section>
      )}
    </Dialog>
  );
}

/** Agents, each with the beginning of its prompt; the name opens it. */
function AgentTable({ agents }: { agents: readonly Agent[] }) {
  return (
    <Table kind="agents" label="Agents" heads={['Name', 'Id', 'Prompt']}>
      {agents.map(({ id, name, systemPrompt }) => (
        <tr key={id}>
          <th scope="row" class="break">
            <a href={query({ ...Object.fromEntries(params.value), agent: id })}>
              {name ?? 'without a name'}
            </a>
          </th>
          <td class="break">
            <code>{id}</code>
          </td>
          <td class="long">
            <div class="beginning two-lines soft">{systemPrompt ?? 'not shown by the service'}</div>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** `/agents`: who speaks in the calls, as a service tells it now. */
export default function AgentsPage() {
  const services = useRead<Services>('/services');
  const all = services.value?.items ?? [];
  // The embedded one is for trying things out.
  const first = all.find(({ simulated }) => !simulated) ?? all[0];
  const service = params.value.get('service') ?? first?.name;
  const making = useOver();
  return (
    <>
      <PageHead
        title="Agents"
        about="Who speaks in the calls: each has a name, and a prompt that says what to say and do."
      >
        {may('operator') && service !== undefined && (
          <Button kind="primary" icon="plus" onClick={making.opens(true)}>
            New agent
          </Button>
        )}
      </PageHead>
      {services.problem !== undefined && <ProblemNotice problem={services.problem} />}
      {service !== undefined && (
        <AgentsOf
          key={service}
          service={service}
          names={all.map(({ name }) => name)}
          making={making.over && making.close}
        />
      )}
    </>
  );
}

/** @param making set while an agent is being made: ends it */
function AgentsOf({
  service,
  names,
  making,
}: {
  service: string;
  names: readonly string[];
  making: (() => void) | undefined;
}) {
  const agents = useRead<Agents>(path`/services/${service}/agents`);
  const text = params.value.get('text') ?? '';
  const opened = params.value.get('agent');
  const { value, problem } = agents;
  const found = (value?.items ?? []).filter((agent) => matches(agent, text));
  const shown = value?.items.find(({ id }) => id === opened);
  return (
    <>
      <div class="filters">
        <SelectField
          label="Service"
          value={service}
          onChange={(name) => setParams({ service: name, agent: null })}
          choices={names}
        />
        <TextField
          label="Search"
          type="search"
          value={text}
          placeholder="a part of the name, id or prompt"
          onChange={setsParam('text')}
        />
      </div>
      {problem !== undefined && (
        <ProblemNotice problem={problem} action={<a href="/services">See the services</a>} />
      )}
      {value === undefined && problem === undefined && <Loading what="the agents" />}
      {value?.complete === false && (
        <Notice tone="warn">
          Not every page or entry could be read: there may be more agents than these.
        </Notice>
      )}
      {value !== undefined && found.length > 0 && (
        <>
          <AgentTable agents={found} />
          <p class="soft small-text" role="status">
            {text === ''
              ? counted(found.length, 'agent')
              : `${found.length} of ${counted(value.items.length, 'agent')}`}
          </p>
        </>
      )}
      {value?.items.length === 0 && (
        <Empty title={`${service} has no agent yet`}>
          <p>A campaign needs one: it waits for an agent with a name and a prompt.</p>
        </Empty>
      )}
      {value !== undefined && value.items.length > 0 && found.length === 0 && (
        <Empty title="No agent is like that">
          <p>Nothing in names, ids and prompts matches “{text}”.</p>
        </Empty>
      )}
      {shown !== undefined && <AgentDrawer key={shown.id} agent={shown} service={service} />}
      {making !== undefined && (
        <NewAgentDialog
          service={service}
          onClose={making}
          onMade={(id) => {
            making();
            agents.reload();
            setParams({ text: null, agent: id });
          }}
        />
      )}
    </>
  );
}

function matches({ id, name, systemPrompt }: Agent, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  const whole = `${id} ${name ?? ''} ${systemPrompt ?? ''}`.toLowerCase();
  return words.every((word) => whole.includes(word));
}

/** Makes an agent at a service. @param onMade gets its id */
function NewAgentDialog({
  service,
  onClose,
  onMade,
}: {
  service: string;
  onClose: () => void;
  onMade: (id: string) => void;
}) {
  const [systemPrompt, setPrompt] = useState('');
  const [voice, setVoice] = useState('');
  // A prompt without a word is refused by its code.
  const fields = { name: [], voice: [], systemPrompt: ['AGENT_INPUT_UNUSABLE'] };
  const { form, at, fieldOf } = useForm({ name: '' }, fields, async ({ name }) => {
    const body = { name: name.trim(), systemPrompt, voice: voiceOf(voice) };
    const { id } = await send<Agent>('POST', path`/services/${service}/agents`, body);
    onMade(id);
  });
  return (
    <FormDialog
      kind="dialog wide"
      title={`New agent at ${service}`}
      does="Create the agent"
      {...form}
      onClose={onClose}
    >
      <TextField {...fieldOf('name')} label="Name" required />
      <Field
        label="Prompt"
        about="What the agent is to say and do, in your words."
        problem={at('systemPrompt')}
      >
        {(control) => (
          <textarea
            {...control}
            class="input prompt-input"
            required
            value={systemPrompt}
            onInput={({ currentTarget }) => setPrompt(currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label="Voice (may be left out)"
        about="A JSON object that goes to the service as it is."
        problem={at('voice')}
      >
        {(control) => (
          <textarea
            {...control}
            class="input voice-input"
            placeholder={'{ "language": "en-GB" }'}
            spellcheck={false}
            value={voice}
            onInput={({ currentTarget }) => setVoice(currentTarget.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

/** @throws Refusal for what is no JSON object */
function voiceOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  let voice: unknown;
  try {
    voice = JSON.parse(text);
  } catch (error) {
    throw voiceRefused(`is no JSON (${(error as Error).message})`);
  }
  if (typeof voice === 'object' && voice !== null && !Array.isArray(voice)) return voice;
  throw voiceRefused('is no JSON object');
}

function voiceRefused(why: string): Refusal {
  return new Refusal({
    type: 'urn:callsheet:AGENT_INPUT_UNUSABLE',
    title: 'agent input unusable',
    status: 422,
    code: 'AGENT_INPUT_UNUSABLE',
    field: 'voice',
    detail: `The voice ${why}.`,
    hint: 'give an object such as { "language": "en-GB" }, or leave it empty',
  });
}
