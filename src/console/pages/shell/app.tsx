import { useEffect, useRef, useState } from 'preact/hooks';

import { own } from '../../../domain/safe-text.ts';
import { useAction } from '../api/action.ts';
import { isConnected, reconnections } from '../api/client.ts';
import { Icon, type IconName } from '../parts/badge.tsx';
import { Loading, ProblemNotice, Toasts } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import iconUrl from '../style/icon.svg';
import { here, pathParts } from './navigation.ts';
import { PAGES } from './routes.ts';
import { hasEnded, may, readSession, session, signOut } from './session.ts';
import { SessionEnded, SignInPage } from './sign-in.tsx';
import { ThemeButton } from './theme.tsx';

interface Entry {
  /** The first part of its path. */
  page: string;
  text: string;
  icon: IconName;
  isForAdmins?: true;
}

const ENTRIES: readonly Entry[] = [
  { page: '', text: 'Campaigns', icon: 'list' },
  { page: 'schedule', text: 'Schedule', icon: 'calendar' },
  { page: 'suppression', text: 'Suppression', icon: 'blocked' },
  { page: 'agents', text: 'Agents', icon: 'agent' },
  { page: 'services', text: 'Services', icon: 'service' },
  { page: 'inbox', text: 'Inbox', icon: 'inbox' },
  { page: 'access', text: 'Users and tokens', icon: 'people', isForAdmins: true },
  { page: 'log', text: 'Log', icon: 'log', isForAdmins: true },
];
/** Pages that belong to another one's entry. */
const BELONGS: Readonly<Record<string, string>> = { campaigns: '', new: '' };

/** The navigation, and who is signed in where. On a narrow screen it opens by a button. */
function Side() {
  const [isOpen, setOpen] = useState(false);
  const side = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    setOpen(false);
  }, [here.value]);
  return (
    <header
      ref={side}
      class={`side ${isOpen ? 'open' : ''}`}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        setOpen(false);
        button.current?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !(side.current?.contains(relatedTarget) ?? false))
          setOpen(false);
      }}
    >
      <div class="side-head">
        <a class="brand" href="/" aria-label="callsheet, to the campaigns">
          <img src={iconUrl} alt="" />
          <span>callsheet</span>
        </a>
        <button
          ref={button}
          class="button quiet small side-button"
          type="button"
          aria-expanded={isOpen}
          aria-controls="side-pages"
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          <Icon name={isOpen ? 'close' : 'list'} />
          Menu
        </button>
      </div>
      <div class="side-pages" id="side-pages">
        <Pages />
        <Who />
      </div>
    </header>
  );
}

function Pages() {
  const [first = ''] = pathParts.value;
  const current = own(BELONGS, first) ?? first;
  return (
    <nav aria-label="Pages">
      <ul role="list">
        {ENTRIES.filter(({ isForAdmins }) => isForAdmins !== true || may('admin')).map(
          ({ page, text, icon }) => (
            <li key={page}>
              <a href={`/${page}`} aria-current={page === current ? 'page' : undefined}>
                <Icon name={icon} />
                {text}
              </a>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}

function Who() {
  const { who, role, how, database, version } = session.value ?? {};
  const signingOut = useAction(signOut);
  return (
    <div class="who">
      <a
        class="break"
        href="/account"
        title={`Database ${database ?? ''}, callsheet ${version ?? ''}`}
      >
        {who} <span class="soft">({role})</span>
      </a>
      <div class="row tight">
        <ThemeButton />
        {how !== 'token' && (
          <button
            class="button quiet small"
            type="button"
            disabled={signingOut.isBusy}
            onClick={() => void signingOut.run()}
          >
            Sign out
          </button>
        )}
      </div>
      {signingOut.problem !== undefined && <ProblemNotice problem={signingOut.problem} />}
    </div>
  );
}

/** Everything: the sign-in, or for those who are signed in the page of the address. */
export function App() {
  useEffect(() => void readSession(), [reconnections.value]);
  if (session.value === null) return <SignInPage />;
  if (session.value === undefined) {
    return isConnected.value ? <Loading what="callsheet" /> : <ConnectionBar />;
  }
  return (
    <>
      <a class="button skip" href="#content">
        Skip to the content
      </a>
      <div class="shell">
        <Side />
        <div class="main">
          <div role="status">{!isConnected.value && <ConnectionBar />}</div>
          <main class="content" id="content" tabIndex={-1}>
            <CurrentPage />
          </main>
        </div>
      </div>
      <Toasts />
      {hasEnded.value && <SessionEnded />}
    </>
  );
}

function CurrentPage() {
  const [first = '', ...parts] = pathParts.value;
  const page = own(PAGES, first);
  const title = page?.title ?? 'Nothing here';
  useEffect(() => {
    document.title = parts[0] === undefined ? `${title} · callsheet` : `${parts[0]} · callsheet`;
  }, [title, parts[0]]);
  if (page === undefined) {
    return (
      <PageHead title="There is no such page">
        <a class="button" href="/">
          See the campaigns
        </a>
      </PageHead>
    );
  }
  // Of one campaign to the next, nothing is kept.
  return <page.show key={`${first}/${parts[0] ?? ''}`} parts={parts} />;
}

function ConnectionBar() {
  return (
    <div class="lost">
      <Icon name="warning" />
      The console does not answer. It is tried again every second; what you typed stays.
    </div>
  );
}
