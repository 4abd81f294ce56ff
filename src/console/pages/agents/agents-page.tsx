import { useState } from 'preact/hooks';
import type { Agent, Agents, Services } from '../../contract/services.ts';
import { path } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { counted } from '../parts/amounts.ts';
import { Empty } from '../parts/empty.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { params, setParams } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import { AgentDrawer } from './agent-drawer.tsx';
import { AgentTable } from './agent-table.tsx';
import { NewAgentDialog } from './new-agent.tsx';
import './agents.css';

/** `/agents`: who speaks in the calls, as a service tells it now. */
export default function AgentsPage() {
  const services = useLoaded((signal) => get<Services>('/services', signal), []);
  const service = params.value.get('service') ?? services.value?.items[0]?.name;
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <PageHead
        title="Agents"
        about="Who speaks in the calls: each has a name, and a prompt that says what to say and do."
      >
        {may('operator') && service !== undefined && (
          <button
            class="button primary"
            type="button"
            onClick={() => {
              setMaking(true);
            }}
          >
            <Icon name="plus" />
            New agent
          </button>
        )}
      </PageHead>
      {services.problem !== undefined && <ProblemNotice problem={services.problem} />}
      {service !== undefined && (
        <AgentsOf
          key={service}
          service={service}
          names={(services.value?.items ?? []).map(({ name }) => name)}
          making={
            isMaking
              ? () => {
                  setMaking(false);
                }
              : undefined
          }
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
  const agents = useLoaded(
    (signal) => get<Agents>(path`/services/${service}/agents`, signal),
    [service],
  );
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
          onChange={(name) => {
            setParams({ service: name, agent: null });
          }}
          choices={[...new Set([...names, service])].map((value) => ({ value, text: value }))}
        />
        <TextField
          label="Search"
          type="search"
          value={text}
          placeholder="a part of the name, id or prompt"
          onChange={(typed) => {
            setParams({ text: typed });
          }}
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
