import type { Role } from '../../store/console.ts';

/** From the one that may do least to the one that may do all. */
export const ROLES = ['viewer', 'operator', 'admin'] as const satisfies readonly Role[];

/** Who asks, and what they may do. */
export interface Identity {
  /** For the log: a user's name, `token NAME`, or, for the one-time link, the operating-system user. */
  who: string;
  kind: 'link' | 'user' | 'token';
  role: Role;
  /** May read transcripts and whole numbers: operators and admins always, a viewer only if that was given. */
  transcripts: boolean;
}

/** What somebody with a role may read. */
export function mayReadTranscripts({ role, transcripts }: Omit<Identity, 'who' | 'kind'>): boolean {
  return role !== 'viewer' || transcripts;
}

/** True when `role` may do what `needed` may do. */
export function hasRole({ role }: Pick<Identity, 'role'>, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
