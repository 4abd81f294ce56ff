import { isPersonField } from '../domain/lists/person.ts';
import type { Clock } from '../runtime/clock.ts';
import { isNotCalled } from '../domain/lead.ts';
import { shortHash, type Random } from '../runtime/random.ts';
import { fillPath, parseAddress } from './http/address.ts';
import { createAgent, createSlotReader, listAgents, probe } from './calls/agents.ts';
import { createCallList, createPoll } from './calls/poll.ts';
import { createDialler } from './calls/dial.ts';
import { createPathFiller, type Profile } from './profile/profile.ts';
import type { VoiceService } from './port.ts';
import { createMask } from './http/secrets.ts';
import { createRateLimiter } from './http/send-permit.ts';
import { DEFAULT_TIMEOUTS, HttpClient, type Timeouts } from './http/http-client.ts';

export interface VoiceServiceOptions {
  /** The service's name in services.yaml, or its address. */
  name: string;
  /** Base address; https, or http on this machine. */
  url: string;
  /** The API key: sent to that address only, never printed, and masked in every answer. */
  key: string;
  /** The environment variable or file that holds the key, for messages. Default: messages do not name it. */
  keyAt?: string | undefined;
  /** Other secrets to mask in answers: those of the service's webhooks. Default: none. */
  otherSecrets?: readonly string[] | undefined;
  profile: Profile;
  /** Dials a second at most; default: as the profile says. */
  dialsPerSecond?: number | undefined;
  /** The number or id that calls come from; null: the service decides. */
  from?: string | null;
  /** Values for the names in braces in the profile's paths, such as the id of the account. Default: none. */
  ids?: Readonly<Record<string, string>>;
  clock: Clock;
  random: Random;
  timeouts?: Partial<Timeouts>;
}

/**
 * The voice-agent service over HTTP, as its profile describes it.
 * @throws AppError `SERVICE_URL_INVALID`, `SERVICE_URL_INSECURE`, `SERVICE_KEY_UNUSABLE`, `SERVICE_ID_MISSING`: exit 2
 */
export function createVoiceService(options: VoiceServiceOptions): VoiceService {
  const { name, key, profile, clock, random } = options;
  const address = parseAddress(options.url);
  // With Basic the key is `user:password`; the user is no secret, and paths may contain `{user}`.
  const [user = ''] = profile.auth.basic ? key.split(':') : [];
  const fill = createPathFiller(profile, name, options.ids ?? {});
  const pathOf = (path: string) => address.pathOf(fillPath(fill(path), { user }));
  const { answerWithin, requestsPerSecond, dialsPerSecond } = profile.limits;
  // A profile's `answerWithin` replaces two time limits: for the whole answer and for its first byte.
  const own = answerWithin === undefined ? {} : { answerMs: answerWithin, silentMs: answerWithin };
  const timeouts = { ...DEFAULT_TIMEOUTS, ...own, ...options.timeouts };
  const closing = new AbortController();
  const mostDials = options.dialsPerSecond ?? dialsPerSecond;
  const limiter = createRateLimiter(requestsPerSecond, clock, closing.signal, mostDials);
  const { auth, headers, analytics, calls } = profile;
  const mask = createMask(auth, key, options.otherSecrets);
  const client = new HttpClient({ address, key, auth, headers, timeouts, clock, limiter, mask });
  let closed: Promise<void> | undefined;

  const retrying = { clock, random, closing: closing.signal };
  const at = { client, address: { ...address, pathOf } };
  const agents = { ...at, keyAt: options.keyAt, rules: profile.agents, ...retrying };
  const dialPath = pathOf(profile.dial.path);
  const { idempotentFor: forMs } = profile.dial;

  return {
    name,
    url: address.url,
    usesLeadColumns: [...profile.dial.body.uses].some(
      (use) => /^(variables|lead)\b/.test(use) || isPersonField(use),
    ),
    endsUnrung: analytics.outcome.words.entries.some(([, result]) => isNotCalled(result)),
    ...(forMs !== undefined && {
      idempotency: { forMs, account: shortHash([address.origin + dialPath, key]) },
    }),
    // Uses the address that dials are sent to, so that `https://host` and `https://host/v1` count as one service.
    fingerprint: shortHash([address.origin + dialPath, profile.text]),
    listAgents: () => listAgents(agents),
    createAgent: (agent) => createAgent(agents, agent),
    roomWithin: limiter.within,
    requestRate: limiter.rate,
    isTooFast: limiter.isTooFast,
    ...(profile.slots !== undefined && {
      freeSlots: createSlotReader(client, profile.slots, pathOf(profile.slots.path)),
    }),
    ...createDialler({
      client,
      rules: profile.dial,
      path: dialPath,
      now: () => clock.now(),
      from: options.from ?? null,
    }),
    readAnalytics: createPoll({ client, rules: analytics, pathOf, ...retrying }),
    callList: calls ? createCallList({ ...at, rules: calls, analytics, clock }) : null,
    probe: () => probe(agents),
    close: () => {
      closing.abort();
      return (closed ??= client.close());
    },
  };
}
