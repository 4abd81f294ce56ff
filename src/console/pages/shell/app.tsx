import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { own } from '../../../domain/safe-text.ts';
import { useAction } from '../api/action.ts';
import { isConnected, reconnections } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { Icon, type IconName } from '../parts/badge.tsx';
import { Loading, ProblemNotice, Toasts } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import iconUrl from '../style/icon.svg';
import { lazy } from './lazy.tsx';
import { here, pathParts, type PageProps } from './navigation.ts';
import { hasEnded, may, readSession, session, signOut } from './session.ts';
import { SessionEnded, SignInPage } from './sign-in.tsx';
import { ThemeButton } from './theme.tsx';

/** A page: its first part of the path, and what it is loaded from when it is first opened. */
interface Page {
  /** The heading of the browser's tab. */
  title: string;
  show: ComponentType<PageProps>;
}

/** By the first part of the path; '' is the first page. */
const PAGES: Readonly<Record<string, Page>> = {
  '': { title: 'Campaigns', show: lazy(() => import('../campaigns/campaigns-page.tsx')) },
  new: { title: 'New campaign', show: lazy(() => import('../drafts/new-page.tsx')) },
  campaigns: { title: 'Campaign', show: lazy(() => import('../campaign/campaign-page.tsx')) },
  suppression: {
    title: 'Suppression',
    show: lazy(() => import('../suppression/suppression-page.tsx')),
  },
  agents: { title: 'Agents', show: lazy(() => import('../agents/agents-page.tsx')) },
  services: { title: 'Services', show: lazy(() => import('../services/services-page.tsx')) },
  inbox: { title: 'Inbox', show: lazy(() => import('../inbox/inbox-page.tsx')) },
  schedule: { title: 'Schedule', show: lazy(() => import('../schedule/schedule-page.tsx')) },
  access: { title: 'Users and tokens', show: lazy(() => import('../access/access-page.tsx')) },
  log: { title: 'Log', show: lazy(() => import('../log/log-page.tsx')) },
  account: { title: 'Account', show: lazy(() => import('../account/account-page.tsx')) },
};

/** The pages of the navigation, by the first part of the path. */
const ENTRIES: readonly { page: string; icon: IconName; isForAdmins?: true }[] = [
  { page: '', icon: 'list' },
  { page: 'schedule', icon: 'calendar' },
  { page: 'suppression', icon: 'blocked' },
  { page: 'agents', icon: 'agent' },
  { page: 'services', icon: 'service' },
  { page: 'inbox', icon: 'inbox' },
  { page: 'access', icon: 'people', isForAdmins: true },
  { page: 'log', icon: 'log', isForAdmins: true },
];
/** Pages that belong to another one's entry. */
const BELONGS: Readonly<Record<string, string>> = { campaigns: '', new: '' };

/** The navigation, and who is signed in where. On a narrow screen it opens by a button. */
function Side() {
  const [isOpen, setOpen] = useState(false);
  const side = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [here.value]);
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
          onClick={() => setOpen(!isOpen)}
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
          ({ page, icon }) => (
            <li key={page}>
              <a href={`/${page}`} aria-current={page === current ? 'page' : undefined}>
                <Icon name={icon} />
                {PAGES[page]?.title}
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
          <Button kind="quiet small" action={signingOut}>
            Sign out
          </Button>
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
