import { PageHead } from '../parts/page-head.tsx';
import { Empty } from '../parts/empty.tsx';
import { may } from '../shell/session.ts';
import { Tokens } from './tokens.tsx';
import { Users } from './users.tsx';
import './access.css';

/** Who may sign in, and which programs may ask. */
export default function AccessPage() {
  if (!may('admin')) {
    return (
      <>
        <PageHead title="Users and tokens" />
        <Empty title="Users and tokens are for admins">
          <p>An admin gives roles, and adds users and tokens.</p>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead
        title="Users and tokens"
        about="Who may sign in to this console, and which programs may use its API. Every change is in the log."
      />
      <Users />
      <Tokens />
    </>
  );
}
