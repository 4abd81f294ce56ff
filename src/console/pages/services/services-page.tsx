import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { Job } from '../../../views/jobs.ts';
import type { Agents, Service, Services } from '../../../views/services.ts';
import { useAction } from '../api/action.ts';
import { path, query, send } from '../api/client.ts';
import { useJob } from '../api/jobs.ts';
import { useRead } from '../api/loaded.ts';
import { Button } from '../parts/button.tsx';
import { amount, share } from '../parts/values.tsx';
import { useOver } from '../parts/dialog.tsx';
import { Notice, ProblemNotice, Reading, Said } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Facts } from '../parts/sheet.tsx';
import { Table } from '../parts/tables/table.tsx';
import { may } from '../shell/session.ts';
import { ServiceDialog } from './service-dialog.tsx';
import './services.css';

type State = ReturnType<typeof useExamination>;

/** Asks a service what `callsheet doctor` asks; nobody is called. */
function useExamination(service: string, isNew: boolean) {
  const [id, setId] = useState<string>();
  const job = useJob(id);
  const start = useAction(async () => {
    const { id: begun } = await send<Job>('POST', path`/services/${service}/check`, {});
    setId(begun);
  });
  useEffect(() => {
    if (isNew) void start.run();
  }, []);
  const isUnderWay = id !== undefined && (job === undefined || job.endedAt === null);
  return {
    job,
    problem: start.problem ?? job?.problem ?? undefined,
    isBusy: start.isBusy || isUnderWay,
    begin: () => void start.run(),
  };
}

const STATES = {
  ok: { text: 'in order', tone: 'good' },
  warn: { text: 'look at it', tone: 'warn' },
  problem: { text: 'problem', tone: 'bad' },
} as const;

/** What was found. */
function Findings({ isBusy, job, problem, service }: State & { service: string }) {
  const findings = job?.kind === 'check' ? job.result?.findings : undefined;
  return (
    <div role="status" class="stack tight">
      {isBusy && <p class="soft">The service is being asked...</p>}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {findings !== undefined && (
        <>
          <h3>What was found</h3>
          <ul role="list" class="findings">
            {findings.map(({ what, state, detail, next }) => (
              <li key={what}>
                <span class={`badge ${STATES[state].tone}`}>{STATES[state].text}</span>
                <span class="what">{what}</span>
                <span class="break">
                  <Said text={detail} />
                  {next !== null && (
                    <span class="next">
                      {' '}
                      Next: <Said text={next} />
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
          {findings.every(({ state }) => state !== 'problem') && <ItsAgents service={service} />}
        </>
      )}
    </div>
  );
}

/** Who speaks there; each leads to a campaign. */
function ItsAgents({ service }: { service: string }) {
  const { value } = useRead<Agents>(path`/services/${service}/agents`);
  return (
    <p>
      New campaign with
      {value?.items.slice(0, MOST_AGENTS).map(({ id, name }) => (
        <Fragment key={id}>
          {' '}
          <a href={`/new${query({ service, agent: id })}`}>{name ?? id}</a>
        </Fragment>
      ))}
    </p>
  );
}

const MOST_AGENTS = 10;

/** One service: where it is, its key, how it speaks, its limits, and who holds its slots. */
function ServiceCard({ service, isNew }: { service: Service; isNew: boolean }) {
  const { name, problem, slots, key, keyAt } = service;
  const examination = useExamination(name, isNew);
  const { over: isTyping, opens, close } = useOver();
  const heading = `service-${name}`;
  return (
    <section class="card padded" aria-labelledby={heading}>
      <header class="row between">
        <div class="row tight">
          <h2 id={heading} class="break">
            {name}
          </h2>
          <Badges service={service} />
        </div>
        <div class="row tight">
          <a class="button small" href={`/agents${query({ service: name })}`}>
            Agents
          </a>
          {may('operator') && (
            <Button kind="small" aria-disabled={examination.isBusy} onClick={examination.begin}>
              Examine
            </Button>
          )}
          {may('admin') && key !== null && keyAt === null && (
            <Button kind="small" onClick={opens(true)}>
              Another key
            </Button>
          )}
        </div>
      </header>
      {problem !== null && (
        <Notice tone="bad" next={problem.hint}>
          <Said text={problem.detail} />
        </Notice>
      )}
      <FactsOf service={service} />
      {slots.length > 0 && <Slots slots={slots} />}
      <Findings {...examination} service={name} />
      {isTyping && <ServiceDialog service={name} onClose={close} onDone={close} />}
    </section>
  );
}

function Badges({ service: { simulated, live, key } }: { service: Service }) {
  return (
    <>
      {simulated && <span class="badge">simulated, calls nobody</span>}
      {live && <span class="badge accent">calls real people</span>}
      {!simulated && !live && <span class="badge">on this machine</span>}
      {key === 'present' && <span class="badge good">key present</span>}
      {key === 'missing' && <span class="badge bad">key missing</span>}
    </>
  );
}

function FactsOf({ service }: { service: Service }) {
  const { url, keyAt, from, maxCalls, requestsPerSecond, profile } = service;
  const most = maxCalls === null ? 'no limit but those of the campaigns' : amount(maxCalls);
  const perSecond = requestsPerSecond === null ? null : amount(requestsPerSecond);
  return (
    <Facts
      kind="small-text"
      rows={[
        ['Address', url],
        ['Key', keyAt && `in the variable ${keyAt}`],
        ['Profile', profile],
        ['Calls at once, at most', most],
        ['Requests a second, at most', perSecond],
        ['Calls come from', from],
      ]}
    />
  );
}

function Slots({ slots }: Pick<Service, 'slots'>) {
  return (
    <Table
      label="Calls at once"
      heads={[
        'Campaign at it now',
        { text: 'Calls in progress', isNumber: true },
        { text: 'Could make more', isNumber: true },
        { text: 'Weight', isNumber: true },
        { text: 'Share', isNumber: true },
      ]}
    >
      {slots.map(({ campaign, held, wants, weight, share: part }) => (
        <tr key={campaign}>
          <th scope="row" class="break">
            <a href={path`/campaigns/${campaign}`}>{campaign}</a>
          </th>
          <td class="number">{amount(held)}</td>
          <td class="number">{amount(wants)}</td>
          <td class="number">{amount(weight)}</td>
          <td class="number">{share(part)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** `/services`: who makes the calls, and what is known of each without asking it. */
export default function ServicesPage() {
  const { value, problem, reload } = useRead<Services>('/services');
  const { over: isAdding, opens, close } = useOver();
  const [added, setAdded] = useState<string>();
  const isOnly = value?.items.every(({ simulated }) => simulated) === true;
  return (
    <>
      <PageHead
        title="Services"
        about="Who makes the calls. Nothing is asked of a service until it is examined."
      >
        {may('admin') && (
          <Button kind="primary" icon="plus" onClick={opens(true)}>
            Add a service
          </Button>
        )}
      </PageHead>
      <Reading of={{ value, problem }} what="the services" />
      {isOnly && (
        <Notice>
          There is only the simulated service, which calls nobody.{' '}
          {may('operator') && <a href="/new?service=simulated">Try a campaign with it</a>}
          {may('admin') ? ', or add your own with its key.' : '. An admin adds others.'}
        </Notice>
      )}
      {value !== undefined && (
        <ul role="list" class="stack services">
          {value.items.map((service) => (
            <li key={service.name}>
              <ServiceCard service={service} isNew={service.name === added} />
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <ServiceDialog
          onClose={close}
          onDone={(name) => {
            close();
            setAdded(name);
            reload();
          }}
        />
      )}
    </>
  );
}
