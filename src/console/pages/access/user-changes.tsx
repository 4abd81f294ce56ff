import { useState } from 'preact/hooks';

import type { Role, User } from '../../../views/access.ts';
import type { Problem } from '../../../views/fields.ts';
import { useAction } from '../api/action.ts';
import { path, send } from '../api/client.ts';
import { CheckField, SelectField, useForm } from '../parts/field.tsx';
import { Confirm, FormDialog, type LiesOver } from '../parts/dialog.tsx';
import { PASSWORD_CODES, PasswordField } from '../parts/forms/controls.tsx';
import { toast } from '../parts/notice.tsx';
import { readSession, session } from '../shell/session.ts';

/** What somebody may do. */
export interface Rights {
  role: Role;
  /** Of a viewer: may read what was said, and whole numbers. */
  transcripts: boolean;
}

const ROLE_WORDS: Readonly<Record<Role, { text: string; may: string }>> = {
  viewer: {
    text: 'viewer',
    may: 'Looks at everything, with masked numbers and without transcripts; changes nothing.',
  },
  operator: {
    text: 'operator',
    may: 'Runs campaigns: starts, changes and ends them, takes results, suppresses numbers.',
  },
  admin: { text: 'admin', may: 'All of that, and users, tokens and the log.' },
};

/** The role, and for a viewer whether whole numbers and transcripts are shown. */
export function RoleFields({
  rights,
  onChange,
  problem,
}: {
  rights: Rights;
  onChange: (rights: Rights) => void;
  problem: Problem | undefined;
}) {
  const { role, transcripts } = rights;
  return (
    <>
      <SelectField
        label="Role"
        about={ROLE_WORDS[role].may}
        problem={problem}
        value={role}
        choices={Object.entries(ROLE_WORDS).map(([value, { text }]) => ({ value, text }))}
        onChange={(chosen) => onChange({ ...rights, role: chosen as Role })}
      />
      {role === 'viewer' && (
        <CheckField
          checked={transcripts}
          onChange={(checked) => onChange({ ...rights, transcripts: checked })}
        >
          May read whole numbers, and what was said in calls
        </CheckField>
      )}
    </>
  );
}

/** The role as tables show it. */
export function RoleCell({ role, transcripts }: Rights) {
  return (
    <>
      {ROLE_WORDS[role].text}
      {role === 'viewer' && transcripts && <span class="soft">, with transcripts</span>}
    </>
  );
}

interface Changing extends LiesOver {
  user: User;
}

export function ChangeRole({ user: { name, role, transcripts }, onClose, onDone }: Changing) {
  const [rights, setRights] = useState<Rights>({ role, transcripts });
  const { form, at } = useForm({}, { role: ['LAST_ADMIN'] }, async () => {
    await send('PATCH', path`/users/${name}`, rights);
    toast(`${name} is ${rights.role} from the next request on.`);
    onClose();
    onDone();
    // What is shown here follows one's own role.
    if (name === session.value?.who) await readSession();
  });
  return (
    <FormDialog title={`Role of ${name}`} does="Change the role" {...form} onClose={onClose}>
      <RoleFields rights={rights} onChange={setRights} problem={at('role')} />
    </FormDialog>
  );
}

export function SetPassword({ user: { name }, onClose, onDone }: Changing) {
  const fields = { password: PASSWORD_CODES };
  const { form, fieldOf } = useForm({ password: '' }, fields, async ({ password }) => {
    await send('PUT', path`/users/${name}/password`, { password });
    toast(`${name} signs in with the new password from now on.`);
    onClose();
    onDone();
  });
  return (
    <FormDialog title={`Password of ${name}`} does="Set the password" {...form} onClose={onClose}>
      <p>
        All sessions of {name} end{name === session.value?.who && ', this one too'}. Tell them the
        new password; they can change it on their page "Account".
      </p>
      <PasswordField label="New password" {...fieldOf('password')} />
    </FormDialog>
  );
}

export function RemoveUser({ user: { name }, onClose, onDone }: Changing) {
  const action = useAction(async () => {
    await send('DELETE', path`/users/${name}`);
    toast(`${name} was removed.`);
    onClose();
    onDone();
  });
  return (
    <Confirm title={`Remove ${name}?`} does={`Remove ${name}`} isDanger {...{ action, onClose }}>
      <p>
        {name} cannot sign in any more, and all their sessions end. What they did stays in the log.
      </p>
    </Confirm>
  );
}
