import { examineService } from '../repair/doctor.ts';
import type { Examination } from '../../views/services.ts';
import type { World } from '../world.ts';
import { agentUnknown } from './agents.ts';
import { chooseService, withService, type OpenService, type ServiceRequest } from './service.ts';

/** Asks a service whether it answers and takes the key, and checks what its calls need on this machine. */
export async function checkService(request: ServiceRequest, world: World): Promise<Examination> {
  const findings = await examineService(request, world);
  return {
    findings: findings.map(({ what, ok, detail: said }) => {
      const [detail = '', next = null] = said.split(' Next: ');
      const state = ok ? 'ok' : WARNINGS.has(what) ? 'warn' : 'problem';
      return { what, state, detail, next };
    }),
  };
}

const WARNINGS: ReadonlySet<string> = new Set(['time zones', 'holidays', 'notices']);

/** What a service answered to a key. */
export type ServiceAnswer = Awaited<ReturnType<typeof testKey>>;

/**
 * Asks a service for its agents, with a key that is not yet in a file.
 *
 * @throws AppError `SERVICE_KEY_REFUSED` (exit 4), and those of the service and its client
 */
export async function testKey(
  { url: serviceUrl, profile, key }: { url: string; profile: string; key: string },
  world: World,
) {
  const env = { ...world.env, VOICE_API_KEY: key };
  const config = chooseService({ serviceUrl, profile }, { ...world, env });
  const ask = async ({ service }: OpenService) => ({
    service: { url: service.url },
    list: await service.listAgents(),
  });
  return withService(config, {}, world, ask, { keep: false });
}

/**
 * Refuses an agent that the service does not have. If it has none, or not all could be read, any agent is accepted.
 *
 * @throws AppError `AGENT_UNKNOWN` (exit 2)
 */
export function refuseUnknownAgent(seen: ServiceAnswer | undefined, agent: string): void {
  if (untestedOf(seen, agent) === null || !seen?.list.complete) return;
  const { agents } = seen.list;
  if (agents.length > 0) throw agentUnknown(seen.service, agent, agents);
}

/** What could not be tested with the service, e.g. `the agent is`; null: nothing. */
export function untestedOf(seen: ServiceAnswer | undefined, agent: string): string | null {
  if (seen === undefined) return 'key and agent are';
  return seen.list.agents.some(({ id }) => id === agent) ? null : 'the agent is';
}
