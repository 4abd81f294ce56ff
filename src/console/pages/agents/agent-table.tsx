import type { Agent } from '../../contract/services.ts';
import { query } from '../api/addresses.ts';
import { params } from '../shell/navigation.ts';

/** Agents, each with the beginning of its prompt; the name opens it. */
export function AgentTable({ agents }: { agents: readonly Agent[] }) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="Agents">
      <table class="table agents">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Id</th>
            <th scope="col">Prompt</th>
          </tr>
        </thead>
        <tbody>
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
              <td>
                <div class="beginning soft">{systemPrompt ?? 'not shown by the service'}</div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
