import type { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

import type { Clock } from '../../runtime/clock.ts';
import { Folding, type Log } from '../../runtime/log.ts';
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

/** How long a body may take, and what is sent after the answer. */
const BODY_WITHIN_MS = 60_000;

/**
 * Closes connections whose request does not come to its end, so that nobody holds them for nothing: those whose body
 * takes longer than a minute, and those that go on sending for a minute after they were answered. A file may take as long
 * as it needs until its route has answered.
 */
export function endSlowBodies(app: FastifyInstance, clock: Clock): void {
  app.addHook('onRequest', ({ raw, headers, routeOptions }, reply, next) => {
    const hasBody =
      headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
    // A stream that is given up has no socket any more.
    const { socket } = raw;
    let stop: () => void = () => undefined;
    const wait = () => {
      if (raw.readableEnded || socket.destroyed) return;
      stop();
      stop = clock.after(BODY_WITHIN_MS, () => {
        socket.destroy();
      });
    };
    const over = () => {
      stop();
      raw.off('end', over);
      socket.off('close', over);
    };
    if (hasBody) {
      raw.once('end', over);
      socket.once('close', over);
      reply.raw.once('finish', wait);
      if (routeOptions.config.takesFile !== true) wait();
    }
    next();
  });
}
