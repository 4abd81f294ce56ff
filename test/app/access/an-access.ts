import { VirtualClock } from '../../helpers/clock.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { aConsole } from '../../store/sqlite/console/a-console.ts';

export const PASSWORD = 'four fictional words here';

/** A console's store, and the world of somebody who changes it. */
export function anAccess() {
  const clock = new VirtualClock();
  const { store, path } = aConsole();
  return { clock, store, path, world: fakeWorld({ cwd: '/', clock, user: 'root' }) };
}
