// A standby that follows the primary of a world at a distance, and takes its place.
import { join } from 'node:path';
import { startStandby } from './cluster.mjs';
import { startProxy } from './proxy.mjs';

/** @param folder of the servers; each new one has a folder in it */
export async function makeStandbys(folder, number = { next: 0 }) {
  let standby;
  let source;
  /** Between primary and standby. */
  const link = await startProxy(() => source?.port);
  return {
    link,
    /** There is a standby, and it follows. */
    ready: async (world) => {
      if (standby !== undefined) return;
      source = world.server;
      link.refuse(false);
      standby = await startStandby(join(folder, `server-${number.next++}`), link.port);
    },
    /** @returns it, a primary from now on */
    takeOver: async () => {
      await standby.promote();
      const primary = standby;
      standby = undefined;
      return primary;
    },
    drop: async () => {
      link.stop();
      await standby?.drop();
    },
  };
}
