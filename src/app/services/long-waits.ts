import type { VoiceService } from '../../service/port.ts';
import type { World } from '../world.ts';

/** After this wait, a message shows that the program has not died. */
const TOLD_AFTER_MS = 3_000;
const TOLD_AGAIN_AFTER_MS = 10_000;

/**
 * Wraps a service so that long waits are announced on stderr. Only for requests that a person waits for in silence:
 * polls, and probes of a failing service, belong to a run, which reports its own progress.
 */
export function tellingOfWaits(service: VoiceService, world: World): VoiceService {
  const { url } = service;
  return {
    ...service,
    listAgents: () => told(`${url} (list of agents)`, service.listAgents(), world),
    createAgent: (agent) => told(`${url} (new agent)`, service.createAgent(agent), world),
  };
}

async function told<T>(what: string, answer: Promise<T>, world: World): Promise<T> {
  let cancel: () => void = () => undefined;
  const tellAfter = (ms: number, soFarMs: number) => {
    cancel = world.clock.after(ms, () => {
      const seconds = (soFarMs + ms) / 1_000;
      world.tell(`Waiting for ${what}, ${seconds} s so far; Ctrl-C leaves.`);
      tellAfter(TOLD_AGAIN_AFTER_MS, soFarMs + ms);
    });
  };
  tellAfter(TOLD_AFTER_MS, 0);
  try {
    return await answer;
  } finally {
    cancel();
  }
}
