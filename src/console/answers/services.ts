import type { KnownService } from '../../app/services/known-services.ts';
import type { Agent as ServiceAgent } from '../../service/port.ts';
import type { Agent, Service } from '../contract/services.ts';
import type { Shown } from './shown.ts';

/** A service without its key. */
export function serviceBody({ problem, slots, ...service }: KnownService, show: Shown): Service {
  return {
    ...service,
    slots: slots.map(({ campaign, held, wants, weight, share }) => {
      return { campaign: show.name(campaign), held, wants, weight, share };
    }),
    problem: problem && {
      code: problem.code,
      detail: show.text(problem.message),
      hint: problem.hint === undefined ? null : show.text(problem.hint),
    },
  };
}

/** An agent as far as callsheet knows the meaning of its fields; of the others, the voice. */
export function agentBody({ id, name, systemPrompt, raw }: ServiceAgent, { text }: Shown): Agent {
  const voice = (raw as { voice?: unknown } | null)?.voice;
  const isObject = typeof voice === 'object' && voice !== null && !Array.isArray(voice);
  const shown = (given: string | null) => (given === null ? null : text(given));
  return {
    id,
    name: shown(name),
    systemPrompt: shown(systemPrompt),
    voice: isObject ? (voice as Agent['voice']) : null,
  };
}
