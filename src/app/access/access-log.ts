import type { ConsoleStore } from '../../store/console.ts';
import type { World } from '../world.ts';

/** What an operation on users and tokens needs of the world: `user` is who does it, in the log. */
export type Actor = Pick<World, 'clock' | 'user'>;

/** Notes a change that `actor` has made. Details never hold a secret. */
export function noteChange(
  store: ConsoleStore,
  { clock, user }: Actor,
  what: string,
  target: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  return store.appendLog({ at: clock.now(), who: user, what, target, outcome: 'done', detail });
}
