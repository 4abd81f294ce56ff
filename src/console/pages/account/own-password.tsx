import { useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { send } from '../api/client.ts';
import { PASSWORD_CODES, PasswordField } from '../parts/forms/password-field.tsx';
import { TextField } from '../parts/field.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { problemPlaces } from '../parts/forms/problem-places.ts';
import { toast } from '../parts/toasts.tsx';

const EMPTY = { old: '', password: '' };

/** Changes one's own password; every other session of the same user ends. */
export function OwnPassword() {
  const [typed, setTyped] = useState(EMPTY);
  const action = useAction(async () => {
    await send('PUT', '/session/password', typed);
    setTyped(EMPTY);
    toast('Your password is changed. You stay signed in here, and nowhere else.');
  });
  const { at, elsewhere } = problemPlaces(action.problem, {
    old: ['PASSWORD_WRONG'],
    password: PASSWORD_CODES,
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      <TextField
        label="Old password"
        type="password"
        name="old-password"
        autoComplete="current-password"
        required
        value={typed.old}
        onChange={(old) => {
          setTyped({ ...typed, old });
        }}
        problem={at('old')}
      />
      <PasswordField
        label="New password"
        value={typed.password}
        onChange={(password) => {
          setTyped({ ...typed, password });
        }}
        problem={at('password')}
      />
      {elsewhere !== undefined && <ProblemNotice problem={elsewhere} />}
      <div>
        <button class="button primary" type="submit" disabled={action.isBusy}>
          Change the password
        </button>
      </div>
    </form>
  );
}
