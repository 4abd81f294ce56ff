import { useState } from 'preact/hooks';
import iconUrl from '../style/icon.svg';
import { useAction } from '../api/action.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { hasEnded, session, signIn } from './session.ts';

/** The way in. The address stays, so that whoever signs in is where they wanted to be. */
export function SignInPage() {
  return (
    <main class="sign-in" id="content">
      <div class="card padded">
        <div class="row">
          <img src={iconUrl} alt="" width={32} height={32} />
          <h1>Sign in to callsheet</h1>
        </div>
        <SignInForm />
        <p class="soft small-text">
          No name yet? Where no users were added, open the link that <code>callsheet console</code>{' '}
          prints; it signs in once, within 5 minutes.
        </p>
      </div>
    </main>
  );
}

/** Lies over the page of a session that has ended; what was typed there stays. */
export function SessionEnded() {
  return (
    <Dialog title="Your session has ended" onClose={undefined}>
      <p>Sign in again to go on where you were.</p>
      <SignInForm name={session.value?.who} />
    </Dialog>
  );
}

function SignInForm({ name: given = '' }: { name?: string | undefined }) {
  const [name, setName] = useState(given);
  const [password, setPassword] = useState('');
  const action = useAction(() => signIn(name.trim(), password));
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run().then((isDone) => {
          if (isDone) hasEnded.value = false;
        });
      }}
    >
      {action.problem !== undefined && <ProblemNotice problem={action.problem} />}
      <Field label="Name">
        {(field) => (
          <input
            {...field}
            class="input"
            name="name"
            autoComplete="username"
            required
            value={name}
            onInput={({ currentTarget }) => {
              setName(currentTarget.value);
            }}
          />
        )}
      </Field>
      <Field label="Password">
        {(field) => (
          <input
            {...field}
            class="input"
            type="password"
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onInput={({ currentTarget }) => {
              setPassword(currentTarget.value);
            }}
          />
        )}
      </Field>
      <button class="button primary" type="submit" disabled={action.isBusy}>
        Sign in
      </button>
    </form>
  );
}
