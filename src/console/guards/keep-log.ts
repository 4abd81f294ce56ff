import type { FastifyInstance } from 'fastify';
import { NOBODY } from '../../app/access/log.ts';
import { Folding } from '../../runtime/log.ts';
import type { NewLogEntry } from '../../store/console.ts';
import type { Desk } from '../desk.ts';

/** Refusals: of a role, a site or a name; too often or too many. */
const REFUSALS = [403, 421, 429, 503];

/**
 * Keeps who changed what, and what was refused, in the log of the console; never bodies, passwords or tokens. Refusals
 * that repeat are kept once and then counted, so that a million tries do not fill the disk.
 */
export function keepLog(app: FastifyInstance, { access, world }: Desk): void {
  const refusals = new Folding(world.clock);
  const keep = (entry: Omit<NewLogEntry, 'at'>) =>
    access.appendLog({ at: world.clock.now(), ...entry });
  const keepRefusal = (entry: Omit<NewLogEntry, 'at'>) => {
    const { who, what, outcome, detail } = entry;
    refusals.add(JSON.stringify([who, what, outcome]), (times) => {
      const counted = times === undefined ? detail : { ...detail, times };
      void keep({ ...entry, detail: counted });
    });
  };

  app.addHook('onResponse', async (request, reply) => {
    const { does } = request.routeOptions.config;
    const { statusCode } = reply;
    // Sign-in logs its own failures, and a session that has ended is not worth a line.
    if (statusCode === 401) return;
    const isRefusal = REFUSALS.includes(statusCode);
    if (does === undefined && !isRefusal) return;
    const params = request.params as Partial<Record<string, string>> | null;
    const named = params?.['campaign'] ?? params?.['service'] ?? params?.['name'] ?? params?.['id'];
    const entry = {
      who: (request.identity as { who: string } | undefined)?.who ?? NOBODY,
      what: does ?? `${request.method} ${request.routeOptions.url ?? ''}`,
      target: request.about ?? named ?? null,
      outcome: statusCode < 400 ? 'done' : `refused (${statusCode})`,
    };
    if (isRefusal) keepRefusal({ ...entry, detail: { from: request.ip } });
    else await keep({ ...entry, detail: {} });
  });
  app.addHook('onClose', (_app, done) => {
    refusals.flush();
    done();
  });
}
