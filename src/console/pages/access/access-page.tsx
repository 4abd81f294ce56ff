import { useState } from 'preact/hooks';

import type { User, Users as UserList } from '../../../views/access.ts';
import { send } from '../api/client.ts';
import { useRead } from '../api/loaded.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Notice, Reading, toast } from '../parts/notice.tsx';
import { TextField, useForm } from '../parts/field.tsx';
import { FormDialog, useOver, type LiesOver, type Over } from '../parts/dialog.tsx';
import { PASSWORD_CODES, PasswordField } from '../parts/forms/controls.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/tables/table.tsx';
import { Time } from '../parts/values.tsx';
import { may, session } from '../shell/session.ts';
import './access.css';
import {
  ChangeRole,
  RemoveUser,
  RoleCell,
  RoleFields,
  SetPassword,
  type Rights,
} from './user-changes.tsx';
import { Tokens } from './tokens.tsx';

const FIELDS = {
  name: ['ACCESS_NAME_INVALID', 'USER_EXISTS'],
  role: [],
  password: PASSWORD_CODES,
};

/** Adds a user. The first one is an admin unless it is said otherwise: somebody has to give roles. */
function AddUser({ isFirst, onClose, onDone }: LiesOver & { isFirst: boolean }) {
  const [rights, setRights] = useState<Rights>({
    role: isFirst ? 'admin' : 'operator',
    transcripts: false,
  });
  const empty = { name: '', password: '' };
  const { form, at, fieldOf } = useForm(empty, FIELDS, async (typed) => {
    const name = typed.name.trim();
    await send('POST', '/users', { ...typed, name, ...rights });
    toast(`${name} may sign in now.`);
    onClose();
    onDone();
  });
  return (
    <FormDialog title="Add a user" does="Add the user" {...form} onClose={onClose}>
      {isFirst && (
        <Notice tone="warn">
          From then on everybody signs in with name and password; the link of the console lets
          nobody in any more.
        </Notice>
      )}
      <TextField
        {...fieldOf('name')}
        label="Name"
        about="Letters, digits, and . - _ @, e.g. an e-mail address."
        name="new-user"
        required
      />
      <RoleFields rights={rights} onChange={setRights} problem={at('role')} />
      <PasswordField label="Password" {...fieldOf('password')} />
    </FormDialog>
  );
}

/** What lies over the page: a new user, or a change of one. */
type Doing = { what: 'add' } | { what: 'role' | 'password' | 'remove'; user: User };

/** People who sign in by name and password. */
export function Users() {
  const { value, problem, reload } = useRead<UserList>('/users');
  const { over: doing, opens, close } = useOver<Doing>();
  const done = { onClose: close, onDone: reload };
  return (
    <section class="stack" aria-labelledby="users">
      <div class="row between">
        <h2 id="users">Users</h2>
        <Button kind="primary" icon="plus" onClick={opens({ what: 'add' })}>
          Add a user
        </Button>
      </div>
      <Reading of={{ value, problem }} what="the users" />
      {value?.items.length === 0 && <NoUsers />}
      {value !== undefined && value.items.length > 0 && (
        <UserTable users={value.items} opens={opens} />
      )}
      {doing?.what === 'add' && <AddUser isFirst={value?.items.length === 0} {...done} />}
      {doing?.what === 'role' && <ChangeRole user={doing.user} {...done} />}
      {doing?.what === 'password' && <SetPassword user={doing.user} {...done} />}
      {doing?.what === 'remove' && <RemoveUser user={doing.user} {...done} />}
    </section>
  );
}

const CHANGES = [
  { what: 'role', text: 'Change role' },
  { what: 'password', text: 'Set password' },
  { what: 'remove', text: 'Remove' },
] as const;

function UserTable({ users, opens }: { users: readonly User[] } & Pick<Over<Doing>, 'opens'>) {
  return (
    <Table
      label="Table of users"
      heads={['Name', 'Role', 'Added', { text: 'Changes', isHidden: true }]}
    >
      {users.map((user) => (
        <tr key={user.name}>
          <th scope="row" class="break">
            {user.name}
            {user.name === session.value?.who && <span class="soft"> (you)</span>}
          </th>
          <td>
            <RoleCell {...user} />
          </td>
          <td>
            <Time at={user.createdAt} />
          </td>
          <td class="row-action">
            {CHANGES.map(({ what, text }) => (
              <Button
                key={what}
                kind="quiet small"
                aria-label={`${text} of ${user.name}`}
                onClick={opens({ what, user })}
              >
                {text}
              </Button>
            ))}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function NoUsers() {
  return (
    <div class="card">
      <Empty title="Nobody has a name here yet">
        <p>
          The person with the link that <code>callsheet console</code> prints is in, alone, as an
          admin. With the first user, name and password are asked for instead.
        </p>
      </Empty>
    </div>
  );
}

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
