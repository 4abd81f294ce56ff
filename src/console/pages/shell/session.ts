import { computed, signal } from '@preact/signals';
import type { Role, Session } from '../../../views/access.ts';
import { get, isSignedOut, nextPoll, readAgain, Refusal, send } from '../api/client.ts';

/** Who is signed in; null: nobody; undefined: not known yet. */
export const session = signal<Session | null | undefined>(undefined);
/** True when a session ended under an open page: it stays as it is, and signing in goes on with it. */
export const hasEnded = computed(() => isSignedOut.value && session.value != null);

const ROLES: readonly Role[] = ['viewer', 'operator', 'admin'];

/** Whether the signed-in person has this role or a greater one. The console decides again; this is for what is shown. */
export function may(role: Role): boolean {
  const given = session.value?.role;
  return given !== undefined && ROLES.indexOf(given) >= ROLES.indexOf(role);
}

/** Whether the signed-in person sees whole numbers, and what was said. */
export const seesAll = computed(() => session.value?.transcripts === true);

const ASK_AGAIN_MS = 1_000;

/** Asks who is signed in, until the console says so or cannot be reached. */
export async function readSession(): Promise<void> {
  try {
    const now = await get<Session>('/session');
    const wasOver = hasEnded.value;
    isSignedOut.value = false;
    session.value = now;
    // What was refused meanwhile is read now.
    if (wasOver) readAgain();
  } catch (error) {
    // Without a connection nobody knows; it is asked again when there is one.
    if (!(error instanceof Refusal) || error.problem.status === 0) return;
    if (error.problem.status === 401) session.value ??= null;
    else await nextPoll(ASK_AGAIN_MS).then(readSession);
  }
}

/** @throws Refusal */
export async function signIn(name: string, password: string): Promise<void> {
  await send('POST', '/session', { name, password });
  await readSession();
}

export async function signOut(): Promise<void> {
  await send('DELETE', '/session');
  session.value = null;
}
