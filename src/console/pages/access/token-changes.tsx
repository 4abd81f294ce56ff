import { useState } from 'preact/hooks';
import type { MadeToken, Token } from '../../contract/access.ts';
import { useAction } from '../api/action.ts';
import { pageOrigin, path } from '../api/addresses.ts';
import { send } from '../api/client.ts';
import { CopyButton } from '../parts/forms/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, TextField } from '../parts/field.tsx';
import { FormDialog } from '../parts/forms/form-dialog.tsx';
import { Lines } from '../parts/lines.tsx';
import { Notice } from '../parts/notice.tsx';
import { problemPlaces } from '../parts/forms/problem-places.ts';
import { toast } from '../parts/toasts.tsx';
import { RoleFields, type Rights } from './role-fields.tsx';

export function AddToken({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (token: MadeToken) => void;
}) {
  const [name, setName] = useState('');
  const [rights, setRights] = useState<Rights>({ role: 'operator', transcripts: false });
  const action = useAction(async () => {
    onMade(await send<MadeToken>('POST', '/tokens', { name: name.trim(), ...rights }));
  });
  const { at, elsewhere } = problemPlaces(action.problem, {
    name: ['ACCESS_NAME_INVALID', 'TOKEN_EXISTS'],
    role: [],
  });
  return (
    <FormDialog
      title="Make a token"
      does="Make the token"
      {...{ action, onClose }}
      problem={elsewhere}
    >
      <TextField
        label="Name of the program"
        about="E.g. crm; the log names it with each of its changes."
        name="new-token"
        autoComplete="off"
        required
        value={name}
        onChange={setName}
        problem={at('name')}
      />
      <RoleFields rights={rights} onChange={setRights} problem={at('role')} />
    </FormDialog>
  );
}

/** Shows a token the only time that it is known, and how it is used. */
export function NewToken({
  token: { name, token },
  onClose,
}: {
  token: MadeToken;
  onClose: () => void;
}) {
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
              onFocus={({ currentTarget }) => {
                currentTarget.select();
              }}
            />
            <CopyButton text={token} what="the token" />
          </div>
        )}
      </Field>
      <section class="stack tight">
        <h3>Try it</h3>
        <Lines
          label="How the token is used"
          lines={[`curl -H "Authorization: Bearer $TOKEN" \\`, `  ${pageOrigin}/api/v1/campaigns`]}
        />
        <p class="soft small-text">
          With the token in the variable TOKEN. All that it may ask is in{' '}
          <a href="/api/v1/openapi.json">the description of the API</a>.
        </p>
      </section>
      <footer>
        <button class="button primary" type="button" onClick={onClose}>
          I have copied it
        </button>
      </footer>
    </Dialog>
  );
}

export function RemoveToken({
  token: { name },
  onClose,
  onDone,
}: {
  token: Token;
  onClose: () => void;
  onDone: () => void;
}) {
  const action = useAction(async () => {
    await send('DELETE', path`/tokens/${name}`);
    toast(`The token ${name} was removed.`);
    onClose();
    onDone();
  });
  return (
    <FormDialog
      title={`Remove the token ${name}?`}
      does="Remove it"
      isDanger
      {...{ action, onClose }}
      problem={action.problem}
    >
      <p>The program that uses it is refused from now on. What it did stays in the log.</p>
    </FormDialog>
  );
}
