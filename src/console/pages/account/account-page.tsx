import type { Session } from '../../../views/access.ts';
import { useAction } from '../api/action.ts';
import { consoleNow, send } from '../api/client.ts';
import { Button, Form } from '../parts/button.tsx';
import { SelectField, TextField, useForm } from '../parts/field.tsx';
import { PASSWORD_CODES, PasswordField } from '../parts/forms/controls.tsx';
import { Icon } from '../parts/badge.tsx';
import { ProblemNotice, toast } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Facts } from '../parts/sheet.tsx';
import { timeText } from '../parts/values.tsx';
import { session, signOut } from '../shell/session.ts';
import { chooseTheme, theme, THEME_WORDS } from '../shell/theme.tsx';
import './account.css';

const HOW: Readonly<Record<Session['how'], string>> = {
  user: 'by name and password',
  link: 'by a link of the console',
  token: 'by a token',
};

const CALLS: Readonly<Record<Session['dials'], string>> = {
  here: 'made by this console as soon as a campaign is started',
  serve: 'made by callsheet serve, at the times of each campaign',
};

/** What each role may do more than the one before. */
const MAY: readonly { role: Session['role']; text: string }[] = [
  {
    role: 'viewer',
    text: 'Look at campaigns, their people and results, and at everything around them',
  },
  { role: 'operator', text: 'Start, change and end campaigns, settle doubts, suppress numbers' },
  { role: 'admin', text: 'Add users and tokens, and read the log' },
];

function WhoAmI({ session }: { session: Session }) {
  const { who, role, how, transcripts, database, version, timezone, dials } = session;
  const upTo = MAY.findIndex((one) => one.role === role);
  const rights = [
    ...MAY.map(({ text }, i) => ({ text, isAllowed: i <= upTo })),
    { text: 'Read whole numbers, and what was said in calls', isAllowed: transcripts },
  ];
  const zone = (
    <>
      {timezone}, <span class="soft">where it is {timeText(consoleNow(), timezone)} now</span>
    </>
  );
  return (
    <section class="card padded" aria-labelledby="who-am-i">
      <h2 id="who-am-i" class="break">
        {who}
      </h2>
      <Facts
        rows={[
          ['Role', role],
          ['Signed in', `${HOW[how]}, for 12 hours`],
          ['Database', database],
          ['Calls', CALLS[dials]],
          ['Zone', zone],
          ['callsheet', version],
        ]}
      />
      <h3>What you may do</h3>
      <ul class="stack tight" role="list">
        {rights.map(({ text, isAllowed }) => (
          <li key={text} class="account-right">
            <Icon name={isAllowed ? 'check' : 'close'} />
            <span class={isAllowed ? '' : 'soft'}>
              {!isAllowed && <span class="visually-hidden">Not: </span>}
              {text}
            </span>
          </li>
        ))}
      </ul>
      {role !== 'admin' && <p class="soft small-text">An admin gives roles.</p>}
    </section>
  );
}

const PASSWORDS = { old: ['PASSWORD_WRONG'], password: PASSWORD_CODES };

/** Changes one's own password; every other session of the same user ends. */
function OwnPassword() {
  const empty = { old: '', password: '' };
  const { form, fieldOf, clear } = useForm(empty, PASSWORDS, async (typed) => {
    await send('PUT', '/session/password', typed);
    clear();
    toast('Your password is changed. You stay signed in here, and nowhere else.');
  });
  const { action, problem } = form;
  return (
    <Form does={() => action.run()}>
      <TextField
        {...fieldOf('old')}
        label="Old password"
        type="password"
        name="old-password"
        autoComplete="current-password"
        required
      />
      <PasswordField label="New password" {...fieldOf('password')} />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <div>
        <button class="button primary" type="submit" aria-disabled={action.isBusy}>
          Change the password
        </button>
      </div>
    </Form>
  );
}

/** Who is signed in, what they may do, and what they can set for themselves. */
export default function AccountPage() {
  const signingOut = useAction(signOut);
  const who = session.value;
  if (who == null) return null;
  return (
    <>
      <PageHead title="Account" about="You, and the console that you are signed in to.">
        {who.how !== 'token' && <Button action={signingOut}>Sign out</Button>}
      </PageHead>
      {signingOut.problem !== undefined && <ProblemNotice problem={signingOut.problem} />}
      <div class="columns">
        <WhoAmI session={who} />
        <div class="stack wide">
          <section class="card padded" aria-labelledby="own-password">
            <h2 id="own-password">Password</h2>
            {who.how === 'user' ? (
              <OwnPassword />
            ) : (
              <p class="soft">
                You came in by a link, so there is none. Users have one: an admin adds them.
              </p>
            )}
          </section>
          <section class="card padded" aria-labelledby="appearance">
            <h2 id="appearance">Appearance</h2>
            <SelectField
              label="Colours"
              about="Kept in this browser."
              value={theme.value}
              choices={Object.entries(THEME_WORDS).map(([value, text]) => ({ value, text }))}
              onChange={chooseTheme}
            />
          </section>
        </div>
      </div>
    </>
  );
}
