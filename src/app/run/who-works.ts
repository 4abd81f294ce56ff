import { isHeard } from '../../domain/heartbeat.ts';
import { isGone } from '../../runtime/process.ts';
import type { Runner } from '../../store/port.ts';
import type { World } from '../world.ts';

/** Who works on a campaign at this moment. */
export interface Works {
  /** The process that has been at it longest, and how many more, e.g. `pid 4711 +1`; null: nobody. */
  runner: string | null;
  /** The same of those that call; the others collect. */
  calls: string | null;
  /** Since when, epoch ms. */
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
