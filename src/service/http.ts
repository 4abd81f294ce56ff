import type { Clock } from '../runtime/clock.ts';
import { shortHash } from '../runtime/ids.ts';
import type { Random } from '../runtime/random.ts';
import { parseAddress } from './address.ts';
import { createAgent, listAgents, probe } from './agents.ts';
import { createDialler } from './dial.ts';
import { createExcerpt, maskKey } from './excerpt.ts';
import { createLooker } from './look.ts';
import type { VoiceService } from './port.ts';
import type { Profile } from './profile.ts';
import { DEFAULT_TIMEOUTS, Wire } from './wire.ts';
import type { Timeouts } from './wire.ts';

export interface VoiceServiceOptions {
  /** Its name in services.yaml, or its address. */
  name: string;
  /** Base address; https, or http on this machine. */
  url: string;
  /** Sent to that address only, never printed. */
  key: string;
  profile: Profile;
  clock: Clock;
  random: Random;
  timeouts?: Partial<Timeouts>;
}

/**
 * The voice-agent service over HTTP, as its profile describes it.
 *
 * @throws AppError `SERVICE_URL_INVALID`, `SERVICE_URL_INSECURE`, `SERVICE_KEY_UNUSABLE` (all exit 2)
 */
export function createVoiceService(options: VoiceServiceOptions): VoiceService {
  const { name, key, profile, clock, random } = options;
  const address = parseAddress(options.url);
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const wire = new Wire(address, key, profile.auth, timeouts, () => clock.monotonic());
  const excerpt = createExcerpt(key);
  const closing = new AbortController();
  let closed: Promise<void> | undefined;

  const agents = { wire, rules: profile.agents, address, excerpt };
  const dialPath = address.pathOf(profile.dial.path);
  const startCall = createDialler({
    wire,
    rules: profile.dial,
    path: dialPath,
    now: () => clock.now(),
    excerpt,
  });
  const readAnalytics = createLooker({
    wire,
    rules: profile.analytics,
    path: address.pathOf(profile.analytics.path),
    clock,
    random,
    excerpt,
    withoutKey: (text) => maskKey(text, key),
    closing: closing.signal,
  });

  return {
    name,
    url: address.url,
    // Of the address that is dialled: `https://host` and `https://host/v1` are one service.
    fingerprint: shortHash([address.origin + dialPath, profile.text]),
    listAgents: () => listAgents(agents),
    createAgent: (agent) => createAgent(agents, agent),
    startCall,
    readAnalytics,
    probe: () => probe(agents),
    close: () => {
      closing.abort();
      return (closed ??= wire.close());
    },
  };
}
