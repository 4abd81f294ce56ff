import type { Agent } from '../../contract/services.ts';
import { query } from '../api/addresses.ts';
import { params } from '../shell/navigation.ts';
import { Table } from '../parts/tables/table.tsx';

/** Agents, each with the beginning of its prompt; the name opens it. */
export function AgentTable({ agents }: { agents: readonly Agent[] }) {
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
          <td>
            <div class="beginning soft">{systemPrompt ?? 'not shown by the service'}</div>
          </td>
        </tr>
      ))}
    </Table>
  );
}
