import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { TextField } from '../parts/field.tsx';
import { problemPlaces } from '../parts/forms/problem-places.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { setParams } from './navigation.ts';
import { signIn } from './session.ts';

/** Name and password. @param name whose session it was */
export function SignInForm({ name: given = '' }: { name?: string | undefined }) {
  const [name, setName] = useState(given);
  const [password, setPassword] = useState('');
  const action = useAction(async () => {
    await signIn(name.trim(), password);
    // What it said of a link is over.
    setParams({ link: null });
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (given !== '') form.current?.querySelector<HTMLInputElement>('[name=password]')?.focus();
  }, []);
  const { at, elsewhere } = problemPlaces(action.problem, {
    name: [],
    password: ['LOGIN_REFUSED'],
  });
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      {elsewhere !== undefined && <ProblemNotice problem={elsewhere} />}
      <TextField
        label="Name"
        name="name"
        autoComplete="username"
        required
        value={name}
        onChange={setName}
        problem={at('name')}
      />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
        problem={at('password')}
      />
      <button class="button primary" type="submit" disabled={action.isBusy}>
        Sign in
      </button>
    </form>
  );
}
