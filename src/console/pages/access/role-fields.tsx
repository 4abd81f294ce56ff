import type { Role, ProblemBody } from '../../contract/common.ts';
import { CheckField, SelectField } from '../parts/field.tsx';

/** What somebody may do. */
export interface Rights {
  role: Role;
  /** Of a viewer: may read what was said, and whole numbers. */
  transcripts: boolean;
}

export const ROLE_WORDS: Readonly<Record<Role, { text: string; may: string }>> = {
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
  problem: ProblemBody | undefined;
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
        onChange={(chosen) => {
          onChange({ ...rights, role: chosen as Role });
        }}
      />
      {role === 'viewer' && (
        <CheckField
          checked={transcripts}
          onChange={(checked) => {
            onChange({ ...rights, transcripts: checked });
          }}
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
