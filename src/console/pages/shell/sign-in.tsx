import { useEffect, useRef } from 'preact/hooks';

import type { SignIn } from '../../../views/access.ts';
import { useRead } from '../api/loaded.ts';
import { Button, Form } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField, useForm } from '../parts/field.tsx';
import { Loading, Notice, ProblemNotice } from '../parts/notice.tsx';
import iconUrl from '../style/icon.svg';
import { params, setParams } from './navigation.ts';
import { readSession, session, signIn } from './session.ts';

/** Name and password. @param name whose session it was */
function SignInForm({ name: given = '' }: { name?: string | undefined }) {
  const fields = { name: [], password: ['LOGIN_REFUSED'] };
  const {
    form: { action, problem },
    fieldOf,
  } = useForm({ name: given, password: '' }, fields, async (typed) => {
    await signIn(typed.name.trim(), typed.password);
    // What it said of a link is over.
    setParams({ link: null });
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (given !== '') form.current?.querySelector<HTMLInputElement>('[name=password]')?.focus();
  }, []);
  return (
    <Form form={form} does={() => action.run()}>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <TextField {...fieldOf('name')} label="Name" autoComplete="username" required />
      <TextField
        {...fieldOf('password')}
        label="Password"
        type="password"
        autoComplete="current-password"
        required
      />
      <button class="button primary" type="submit" aria-disabled={action.isBusy}>
        Sign in
      </button>
    </Form>
  );
}

/** The sign-in. The address stays, so that people arrive where they wanted to be. */
export function SignInPage() {
  const isRefused = params.value.get('link') === 'refused';
  return (
    <main class="sign-in" id="content">
      <div class="card padded">
        <div class="row">
          <img src={iconUrl} alt="" width={32} height={32} />
          <h1>Sign in to callsheet</h1>
        </div>
        {isRefused && (
          <div role="alert">
            <Notice tone="warn" next="Each link signs in once, within 5 minutes.">
              This link lets nobody in any more.
            </Notice>
          </div>
        )}
        <WayIn />
      </div>
    </main>
  );
}

/** Lies over the page of a session that has ended; what was typed there stays. */
export function SessionEnded() {
  return (
    <Dialog title="Your session has ended" onClose={undefined}>
      <p>Sign in again to go on where you were; what you typed is still there.</p>
      <WayIn name={session.value?.how === 'user' ? session.value.who : undefined} />
    </Dialog>
  );
}

/** By name where there are users, else by a link. */
function WayIn({ name }: { name?: string | undefined }) {
  const { value, problem } = useRead<SignIn>('/sign-in');
  if (value?.names === false) return <ByLink />;
  return value === undefined && problem === undefined ? (
    <Loading what="the way in" />
  ) : (
    <SignInForm name={name} />
  );
}

/** A link is opened beside this page, which notices when somebody comes back to it. */
function ByLink() {
  useEffect(() => {
    const look = () => void readSession();
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, []);
  return (
    <div class="stack">
      <p>
        Nobody has a name here yet, so a link lets in: the one that <code>callsheet console</code>{' '}
        prints when it starts, or a fresh one of this command, on the machine of the console:
      </p>
      <pre class="lines">callsheet console --link</pre>
      <p class="soft small-text">
        It signs in once, within 5 minutes. With <code>callsheet users add NAME --role ROLE</code>{' '}
        people sign in by name and password.
      </p>
      <div>
        <Button onClick={() => void readSession()}>I have opened it: go on</Button>
      </div>
    </div>
  );
}
