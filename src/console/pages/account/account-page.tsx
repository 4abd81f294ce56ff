import { PageHead } from '../parts/page-head.tsx';
import { SelectField } from '../parts/field.tsx';
import { session, signOut } from '../shell/session.ts';
import { chooseTheme, theme, THEME_WORDS } from '../shell/theme.tsx';
import { useAction } from '../api/action.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { OwnPassword } from './own-password.tsx';
import { WhoAmI } from './who-am-i.tsx';
import './account.css';

/** Who is signed in, what they may do, and what they can set for themselves. */
export default function AccountPage() {
  const signingOut = useAction(signOut);
  const who = session.value;
  if (who == null) return null;
  return (
    <>
      <PageHead title="Account" about="You, and the console that you are signed in to.">
        {who.how !== 'token' && (
          <button
            class="button"
            type="button"
            disabled={signingOut.isBusy}
            onClick={() => {
              void signingOut.run();
            }}
          >
            Sign out
          </button>
        )}
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
