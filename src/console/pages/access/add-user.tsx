import { useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { send } from '../api/client.ts';
import { TextField } from '../parts/field.tsx';
import { FormDialog } from '../parts/forms/form-dialog.tsx';
import { Notice } from '../parts/notice.tsx';
import { problemPlaces } from '../parts/forms/problem-places.ts';
import { toast } from '../parts/toasts.tsx';
import { PASSWORD_CODES, PasswordField } from '../parts/forms/password-field.tsx';
import { RoleFields, type Rights } from './role-fields.tsx';

/** Adds a user. The first one is an admin unless it is said otherwise: somebody has to give roles. */
export function AddUser({
  isFirst,
  onClose,
  onDone,
}: {
  isFirst: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const [name, setName] = useState('');
  const [rights, setRights] = useState<Rights>({
    role: isFirst ? 'admin' : 'operator',
    transcripts: false,
  });
  const [password, setPassword] = useState('');
  const action = useAction(async () => {
    await send('POST', '/users', { name: name.trim(), ...rights, password });
    toast(`${name.trim()} may sign in now.`);
    onClose();
    onDone();
  });
  const { at, elsewhere } = problemPlaces(action.problem, {
    name: ['ACCESS_NAME_INVALID', 'USER_EXISTS'],
    role: [],
    password: PASSWORD_CODES,
  });
  return (
    <FormDialog title="Add a user" does="Add the user" {...{ action, onClose }} problem={elsewhere}>
      {isFirst && (
        <Notice tone="warn">
          From then on everybody signs in with name and password; the link of the console lets
          nobody in any more.
        </Notice>
      )}
      <TextField
        label="Name"
        about="Letters, digits, and . - _ @, e.g. an e-mail address."
        name="new-user"
        autoComplete="off"
        required
        value={name}
        onChange={setName}
        problem={at('name')}
      />
      <RoleFields rights={rights} onChange={setRights} problem={at('role')} />
      <PasswordField
        label="Password"
        value={password}
        onChange={setPassword}
        problem={at('password')}
      />
    </FormDialog>
  );
}
