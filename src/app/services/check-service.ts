import { examineService } from '../repair/doctor.ts';
import type { World } from '../world.ts';
import type { ServiceRequest } from './service.ts';

/** What `callsheet doctor` finds, for a page. */
export interface ServiceFinding {
  what: string;
  /** `warn`: calls are made all the same. */
  state: 'ok' | 'warn' | 'problem';
  detail: string;
  /** The next step; null: nothing is to be done. */
  next: string | null;
}

/** Asks a service whether it answers and takes the key, and checks what its calls need on this machine. */
export async function checkService(
  request: ServiceRequest,
  world: World,
): Promise<{ findings: ServiceFinding[] }> {
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
