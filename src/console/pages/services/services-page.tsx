import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import type { Problem } from '../../../views/fields.ts';
import type { Job } from '../../../views/jobs.ts';
import type { Service, Services } from '../../../views/services.ts';
import { useAction } from '../api/action.ts';
import { get, path, query, send } from '../api/client.ts';
import { useJob } from '../api/jobs.ts';
import { useLoaded } from '../api/loaded.ts';
import { amount, counted, share } from '../parts/values.tsx';
import { Icon } from '../parts/badge.tsx';
import { Lines, Loading, Notice, ProblemNotice, Said } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/tables/table.tsx';
import { may } from '../shell/session.ts';
import './services.css';

interface State {
  isBusy: boolean;
  begin: () => void;
  /** Undefined: nothing was examined. */
  job: Job | undefined;
  problem: Problem | undefined;
}

/** Asks a service what `callsheet doctor` asks; nobody is called. */
function useExamination(service: string): State {
  const [id, setId] = useState<string>();
  const job = useJob(id);
  const start = useAction(async () => {
    const { id: begun } = await send<Job>('POST', path`/services/${service}/check`, {});
    setId(begun);
  });
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
function Findings({ isBusy, job, problem }: State) {
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
        </>
      )}
    </div>
  );
}

/** One service: where it is, its key, how it speaks, its limits, and who holds its slots. */
function ServiceCard({ service }: { service: Service }) {
  const { name, problem, slots } = service;
  const examination = useExamination(name);
  const heading = `service-${name}`;
  return (
    <section class="card padded" aria-labelledby={heading}>
      <header>
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
            <button
              class="button small"
              type="button"
              disabled={examination.isBusy}
              onClick={examination.begin}
            >
              Examine
            </button>
          )}
        </div>
      </header>
      {problem !== null && (
        <Notice tone="bad" next={problem.hint}>
          <Said text={problem.detail} />
        </Notice>
      )}
      <Facts service={service} />
      {slots.length > 0 && <Slots slots={slots} />}
      <Findings {...examination} />
    </section>
  );
}

function Badges({ service: { simulated, live, key } }: { service: Service }) {
  return (
    <>
      {simulated && <span class="badge">embedded, calls nobody</span>}
      {live && <span class="badge accent">calls real people</span>}
      {!simulated && !live && <span class="badge">on this machine</span>}
      {key === 'present' && <span class="badge good">key present</span>}
      {key === 'missing' && <span class="badge bad">key missing</span>}
    </>
  );
}

function Facts({ service }: { service: Service }) {
  const { url, keyAt, from, maxCalls, requestsPerSecond, profile } = service;
  return (
    <dl class="facts service-facts">
      {url !== null && <Fact name="Address">{url}</Fact>}
      {keyAt !== null && (
        <Fact name="Key">
          looked for in <code>{keyAt}</code>
        </Fact>
      )}
      {profile !== null && (
        <Fact name="Profile">
          {profile.name}{' '}
          <span class="soft">
            ({counted(profile.fields, 'field')} of answers by name, {amount(profile.pinned)} of them
            by one name alone; {profile.path})
          </span>
        </Fact>
      )}
      <Fact name="Calls at once">
        {maxCalls === null ? 'no limit but those of the campaigns' : `at most ${amount(maxCalls)}`}
      </Fact>
      <Fact name="Requests">
        {requestsPerSecond === null
          ? 'no limit given'
          : `at most ${amount(requestsPerSecond)} a second`}
      </Fact>
      {from !== null && <Fact name="Calls come from">{from}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Slots({ slots }: Pick<Service, 'slots'>) {
  return (
    <Table
      label="Slots"
      heads={[
        'Campaign at it now',
        { text: 'Slots held', isNumber: true },
        { text: 'Could use more', isNumber: true },
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
  const { value, problem, reload } = useLoaded((signal) => get<Services>('/services', signal), []);
  return (
    <>
      <PageHead
        title="Services"
        about="Who makes the calls. Nothing is asked of a service until it is examined."
      >
        <button class="button" type="button" onClick={reload}>
          <Icon name="replay" />
          Read again
        </button>
      </PageHead>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {value === undefined && problem === undefined && <Loading what="the services" />}
      {value !== undefined && (
        <>
          <ul role="list" class="stack services">
            {value.items.map((service) => (
              <li key={service.name}>
                <ServiceCard service={service} />
              </li>
            ))}
          </ul>
          <AddOne file={value.file} isThere={value.fileExists} />
        </>
      )}
    </>
  );
}

const ENTRY = [
  'main:',
  '  url: https://voice.example.com',
  '  profile: voice-agent      # how it speaks: a file of profiles/ by name, or a path',
  '  keyEnv: VOICE_API_KEY     # the variable that holds its key; never write the key here',
  '  maxCalls: 20              # calls in progress at once, over all campaigns',
];

function AddOne({ file, isThere }: { file: string; isThere: boolean }) {
  return (
    <section class="stack tight" aria-labelledby="add">
      <h2 id="add">Add a service</h2>
      <p>
        Services are named in <code class="break">{file}</code> on the machine of the console
        {isThere ? '' : ', which does not exist yet'}. Add an entry such as this one, set the
        variable of its key where the console is started, and read again:
      </p>
      <Lines label="An entry of the services file" lines={ENTRY} />
    </section>
  );
}
