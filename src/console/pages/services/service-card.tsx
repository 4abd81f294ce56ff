import type { ComponentChildren } from 'preact';
import type { Service } from '../../contract/services.ts';
import { path, query } from '../api/addresses.ts';
import { amount, counted, share } from '../parts/amounts.ts';
import { Notice } from '../parts/notice.tsx';
import { Said } from '../parts/said.tsx';
import { Table } from '../parts/tables/table.tsx';
import { Findings, useExamination } from './examination.tsx';
import { may } from '../shell/session.ts';

/** One service: where it is, its key, how it speaks, its limits, and who holds its slots. */
export function ServiceCard({ service }: { service: Service }) {
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
