import { useState } from 'preact/hooks';
import type { User } from '../../contract/access.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Empty } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { Time } from '../parts/times.tsx';
import { Table } from '../parts/tables/table.tsx';
import { session } from '../shell/session.ts';
import { AddUser } from './add-user.tsx';
import { RoleCell } from './role-fields.tsx';
import { ChangeRole, RemoveUser, SetPassword } from './user-changes.tsx';

/** What lies over the page: a new user, or a change of one. */
type Doing = { what: 'add' } | { what: 'role' | 'password' | 'remove'; user: User };

/** People who sign in by name and password. */
export function Users() {
  const { value, problem, reload } = useLoaded(
    (signal) => get<{ items: User[] }>('/users', signal),
    [],
  );
  const [doing, setDoing] = useState<Doing>();
  const close = () => {
    setDoing(undefined);
  };
  const done = { onClose: close, onDone: reload };
  return (
    <section class="stack" aria-labelledby="users">
      <div class="row between">
        <h2 id="users">Users</h2>
        <button
          class="button primary"
          type="button"
          onClick={() => {
            setDoing({ what: 'add' });
          }}
        >
          <Icon name="plus" />
          Add a user
        </button>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {value === undefined && problem === undefined && <Loading what="the users" />}
      {value?.items.length === 0 && <NoUsers />}
      {value !== undefined && value.items.length > 0 && (
        <UserTable users={value.items} onDo={setDoing} />
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

function UserTable({ users, onDo }: { users: readonly User[]; onDo: (doing: Doing) => void }) {
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
              <button
                key={what}
                class="button quiet small"
                type="button"
                aria-label={`${text} of ${user.name}`}
                onClick={() => {
                  onDo({ what, user });
                }}
              >
                {text}
              </button>
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
          Whoever has the link that <code>callsheet console</code> prints is in, alone, as an admin.
          With the first user, name and password are asked for instead.
        </p>
      </Empty>
    </div>
  );
}
