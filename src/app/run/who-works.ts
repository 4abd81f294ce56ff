import { isHeard } from '../../domain/time-units.ts';
import { isGone } from '../../runtime/process.ts';
import type { Runner } from '../../store/port.ts';
import type { World } from '../world.ts';

/** The processes that run a campaign at this moment. */
export interface Works {
  /** The process that has run longest, and how many others there are, e.g. `pid 4711 +1`; null: none. */
  runner: string | null;
  /** The same for processes that dial; the rest only collect. */
  calls: string | null;
  /** When the longest-running process began, of those that dial if there are any; epoch ms. */
  since: number | null;
}

export function whoWorks(runners: readonly Runner[], world: World): Works {
  const alive = runners.filter(
    (runner) => isHeard(runner, world.clock.now()) && !isGone(runner, world.owner),
  );
  const calling = alive.filter(({ dials }) => dials);
  const named = (some: readonly Runner[]) => {
    const [first] = some;
    if (first === undefined) return null;
    const where = first.host === world.owner.host ? '' : `@${first.host}`;
    return `pid ${first.pid}${where}${some.length > 1 ? ` +${some.length - 1}` : ''}`;
  };
  const [first] = calling.length > 0 ? calling : alive;
  return { runner: named(alive), calls: named(calling), since: first?.since ?? null };
}
