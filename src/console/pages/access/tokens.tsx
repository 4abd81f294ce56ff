import { useState } from 'preact/hooks';
import type { MadeToken, Token } from '../../contract/access.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Empty } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { Time } from '../parts/times.tsx';
import { Table } from '../parts/tables/table.tsx';
import { AddToken, NewToken, RemoveToken } from './token-changes.tsx';
import { RoleCell } from './role-fields.tsx';

type Doing =
  { what: 'add' } | { what: 'made'; token: MadeToken } | { what: 'remove'; token: Token };

/** Programs that use the API. */
export function Tokens() {
  const { value, problem, reload } = useLoaded(
    (signal) => get<{ items: Token[] }>('/tokens', signal),
    [],
  );
  const [doing, setDoing] = useState<Doing>();
  const close = () => {
    setDoing(undefined);
  };
  return (
    <section class="stack" aria-labelledby="tokens">
      <div class="row between">
        <h2 id="tokens">Tokens of programs</h2>
        <button
          class="button"
          type="button"
          onClick={() => {
            setDoing({ what: 'add' });
          }}
        >
          <Icon name="key" />
          Make a token
        </button>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {value === undefined && problem === undefined && <Loading what="the tokens" />}
      {value?.items.length === 0 && (
        <div class="card">
          <Empty title="No program has a token">
            <p>
              A program, such as a CRM, sends a token with each request instead of signing in. What
              it may do is described in <a href="/api/v1/openapi.json">the API</a>.
            </p>
          </Empty>
        </div>
      )}
      {value !== undefined && value.items.length > 0 && (
        <TokenTable
          tokens={value.items}
          onRemove={(token) => {
            setDoing({ what: 'remove', token });
          }}
        />
      )}
      {doing?.what === 'add' && (
        <AddToken
          onClose={close}
          onMade={(token) => {
            setDoing({ what: 'made', token });
            reload();
          }}
        />
      )}
      {doing?.what === 'made' && <NewToken token={doing.token} onClose={close} />}
      {doing?.what === 'remove' && (
        <RemoveToken token={doing.token} onClose={close} onDone={reload} />
      )}
    </section>
  );
}

function TokenTable({
  tokens,
  onRemove,
}: {
  tokens: readonly Token[];
  onRemove: (token: Token) => void;
}) {
  return (
    <Table
      label="Table of tokens"
      heads={['Name', 'Role', 'Made', 'Last used', { text: 'Remove', isHidden: true }]}
    >
      {tokens.map((token) => (
        <tr key={token.name}>
          <th scope="row" class="break">
            {token.name}
          </th>
          <td>
            <RoleCell {...token} />
          </td>
          <td>
            <Time at={token.createdAt} />
          </td>
          <td>
            {token.lastUsedAt === null ? (
              <span class="soft">never</span>
            ) : (
              <Time at={token.lastUsedAt} />
            )}
          </td>
          <td class="row-action">
            <button
              class="button quiet small"
              type="button"
              aria-label={`Remove the token ${token.name}`}
              onClick={() => {
                onRemove(token);
              }}
            >
              Remove
            </button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
