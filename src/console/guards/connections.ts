import type { Server } from 'node:net';
import type { Clock } from '../../runtime/clock.ts';
import { Folding } from '../../runtime/fold-repeats.ts';
import type { Log } from '../../runtime/log.ts';
import { openFileLimit } from '../../runtime/process.ts';

/** A browser holds six at most, for all its tabs together (Chromium, Firefox). */
const MOST_CONNECTIONS = 12_000;

/**
 * Closes new connections while too many are open. This process calls people, too: a quarter of the files that it may have
 * open is kept for the database and the service, whoever opens connections and whatever for.
 *
 * @param most default: by the limit of the system
 */
export function limitConnections(
  server: Server,
  { log, clock }: { log: Log; clock: Clock },
  most = mostOf(openFileLimit()),
): void {
  const dropped = new Folding(clock);
  server.maxConnections = most;
  server.on('drop', () => {
    dropped.add('dropped', (times = 1) => {
      log.warn('console.connectionsDropped', { times, most });
    });
  });
  server.on('close', () => {
    dropped.flush();
  });
}

function mostOf(files: number | null): number {
  return files === null ? MOST_CONNECTIONS : Math.min(MOST_CONNECTIONS, Math.floor(files * 0.75));
}
