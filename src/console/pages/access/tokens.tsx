import { useState } from 'preact/hooks';

import type { MadeToken, Token, Tokens as TokenList } from '../../../views/access.ts';
import { useAction } from '../api/action.ts';
import { pageOrigin, path, send } from '../api/client.ts';
import { useRead } from '../api/loaded.ts';
import { Button } from '../parts/button.tsx';
import {
  Confirm,
  Dialog,
  FormDialog,
  useOver,
  type LiesOver,
  type Over,
} from '../parts/dialog.tsx';
import { Empty, Lines, Notice, Reading, toast } from '../parts/notice.tsx';
import { Field, TextField, useForm } from '../parts/field.tsx';
import { CopyButton } from '../parts/forms/controls.tsx';
import { Table } from '../parts/tables/table.tsx';
import { Time } from '../parts/values.tsx';
import { RoleCell, RoleFields, type Rights } from './user-changes.tsx';

function AddToken({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (token: MadeToken) => void;
}) {
  const [rights, setRights] = useState<Rights>({ role: 'operator', transcripts: false });
  const { form, at, fieldOf } = useForm(
    { name: '' },
    { name: ['ACCESS_NAME_INVALID', 'TOKEN_EXISTS'], role: [] },
    async ({ name }) =>
      onMade(await send<MadeToken>('POST', '/tokens', { name: name.trim(), ...rights })),
  );
  return (
    <FormDialog title="Make a token" does="Make the token" {...form} onClose={onClose}>
      <TextField
        {...fieldOf('name')}
        label="Name of the program"
        about="E.g. crm; the log names it with each of its changes."
        name="new-token"
        required
      />
      <RoleFields rights={rights} onChange={setRights} problem={at('role')} />
    </FormDialog>
  );
}

/** Shows a token the only time that it is known, and how it is used. */
function NewToken({ token: { name, token }, onClose }: { token: MadeToken; onClose: () => void }) {
  return (
    <Dialog title={`The token ${name}`} kind="dialog wide" onClose={onClose}>
      <Notice tone="warn">
        It is shown this once, and kept nowhere: copy it now to where the program finds it.
      </Notice>
      <Field label="Token">
        {(control) => (
          <div class="token-line">
            <input
              {...control}
              class="input token-text"
              readOnly
              value={token}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
            <CopyButton text={token} what="the token" />
          </div>
        )}
      </Field>
      <section class="stack tight">
        <h3>Try it</h3>
        <Lines
          label="How the token is used"
          lines={[
            `curl -H "Authorization: Bearer $TOKEN" \\`,
            `  ${pageOrigin()}/api/v1/campaigns`,
          ]}
        />
        <p class="soft small-text">
          With the token in the variable TOKEN. All that it may ask is in{' '}
          <a href="/api/v1/openapi.json">the description of the API</a>.
        </p>
      </section>
      <footer>
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </footer>
    </Dialog>
  );
}

function RemoveToken({ token: { name }, onClose, onDone }: LiesOver & { token: Token }) {
  const action = useAction(async () => {
    await send('DELETE', path`/tokens/${name}`);
    toast(`The token ${name} was removed.`);
    onClose();
    onDone();
  });
  return (
    <Confirm title={`Remove the token ${name}?`} does="Remove it" isDanger {...{ action, onClose }}>
      <p>The program that uses it is refused from now on. What it did stays in the log.</p>
    </Confirm>
  );
}

type Doing =
  { what: 'add' } | { what: 'made'; token: MadeToken } | { what: 'remove'; token: Token };

/** Programs that use the API. */
export function Tokens() {
  const { value, problem, reload } = useRead<TokenList>('/tokens');
  const { over: doing, opens, close } = useOver<Doing>();
  return (
    <section class="stack" aria-labelledby="tokens">
      <div class="row between">
        <h2 id="tokens">Tokens of programs</h2>
        <Button icon="key" onClick={opens({ what: 'add' })}>
          Make a token
        </Button>
      </div>
      <Reading of={{ value, problem }} what="the tokens" />
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
        <TokenTable tokens={value.items} opens={opens} />
      )}
      {doing?.what === 'add' && (
        <AddToken
          onClose={close}
          onMade={(token) => {
            opens({ what: 'made', token })();
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

function TokenTable({ tokens, opens }: { tokens: readonly Token[] } & Pick<Over<Doing>, 'opens'>) {
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
            <Button
              kind="quiet small"
              aria-label={`Remove the token ${token.name}`}
              onClick={opens({ what: 'remove', token })}
            >
              Remove
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
