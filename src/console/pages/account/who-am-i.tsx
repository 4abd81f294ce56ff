import type { Session } from '../../contract/session.ts';
import { Icon } from '../parts/icon.tsx';
import { timeText } from '../parts/times.tsx';

const HOW: Readonly<Record<Session['how'], string>> = {
  user: 'by name and password',
  link: 'by a link of the console',
  token: 'by a token',
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

export function WhoAmI({ session }: { session: Session }) {
  const { who, role, how, transcripts, database, version, timezone, dials } = session;
  const upTo = MAY.findIndex((one) => one.role === role);
  const rights = [
    ...MAY.map(({ text }, i) => ({ text, isAllowed: i <= upTo })),
    { text: 'Read whole numbers, and what was said in calls', isAllowed: transcripts },
  ];
  const now = Date.now();
  return (
    <section class="card padded" aria-labelledby="who-am-i">
      <h2 id="who-am-i" class="break">
        {who}
      </h2>
      <dl class="facts">
        <dt>Role</dt>
        <dd>{role}</dd>
        <dt>Signed in</dt>
        <dd>{HOW[how]}, for 12 hours</dd>
        <dt>Database</dt>
        <dd>{database}</dd>
        <dt>Calls</dt>
        <dd>
          {dials === 'here'
            ? 'made by this console as soon as a campaign is started'
            : 'made by callsheet serve, at the times of each campaign'}
        </dd>
        <dt>Zone</dt>
        <dd>
          {timezone}, <span class="soft">where it is {timeText(now, timezone, 'short')} now</span>
        </dd>
        <dt>callsheet</dt>
        <dd>{version}</dd>
      </dl>
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
