import { useEffect } from 'preact/hooks';
import { isConnected, reconnections } from '../api/client.ts';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { pathParts } from './navigation.ts';
import { PAGES } from './routes.ts';
import { hasEnded, readSession, session } from './session.ts';
import { Side } from './side.tsx';
import { SessionEnded, SignInPage } from './sign-in.tsx';
import { own } from '../../../domain/lists/own.ts';

/** Everything: whoever is not signed in sees the way in, everybody else the page of the address. */
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
