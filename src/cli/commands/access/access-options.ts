import { ROLES } from '../../../app/access/identity.ts';
import type { Role } from '../../../store/console.ts';
import type { Options } from '../../args/command.ts';

/** Of the file that holds users and tokens. */
export const consoleOptions = {
  db: {
    type: 'text',
    describe:
      'the database in use, default CALLSHEET_DB, else data/callsheet.db; users and tokens are in console.db beside it',
  },
} as const satisfies Options;

/** What somebody may do. */
export const roleOptions = {
  role: {
    type: 'text',
    describe: 'viewers look; operators also run campaigns; admins also add users and tokens',
    choices: ROLES,
    required: true,
  },
  transcripts: {
    type: 'switch',
    describe: 'a viewer may also read transcripts and whole numbers, as all others may',
  },
  ...consoleOptions,
} as const satisfies Options;

/** The parser takes no other than `ROLES`. */
export function readRole<A extends { role: string }>(args: A): A & { role: Role } {
  return { ...args, role: args.role as Role };
}

/** `operator`, `viewer` or `viewer, transcripts`. */
export function roleText({ role, transcripts }: { role: Role; transcripts: boolean }): string {
  return role === 'viewer' && transcripts ? 'viewer, transcripts' : role;
}
