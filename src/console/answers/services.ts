import type { KnownService } from '../../app/services/known-services.ts';
import type { Agent as ServiceAgent } from '../../service/port.ts';
import type { Agent, Service } from '../contract/services.ts';

/** A service without its key. */
export function serviceBody({ problem, slots, ...service }: KnownService): Service {
  return {
    ...service,
    slots: slots.map(({ campaign, held, wants, weight, share }) => {
      return { campaign, held, wants, weight, share };
    }),
    problem: problem && {
      code: problem.code,
      detail: problem.message,
      hint: problem.hint ?? null,
    },
  };
}

/** An agent as far as callsheet knows the meaning of its fields; of the others, the voice. */
export function agentBody({ id, name, systemPrompt, raw }: ServiceAgent): Agent {
  const voice = (raw as { voice?: unknown } | null)?.voice;
  const isObject = typeof voice === 'object' && voice !== null && !Array.isArray(voice);
  return { id, name, systemPrompt, voice: isObject ? (voice as Agent['voice']) : null };
}
