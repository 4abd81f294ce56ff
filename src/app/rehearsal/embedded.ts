import type { Price } from '../../domain/nights/price.ts';
import type { VoiceService } from '../../service/port.ts';
import type { Profile } from '../../service/profile/profile.ts';
import type { Clock } from '../../runtime/clock.ts';
import { REHEARSAL } from '../services/service.ts';

export interface EmbeddedOptions {
  /** The service for which it stands: what it is called, and whether it is known to answer. */
  standsFor: Pick<VoiceService, 'name' | 'fingerprint'>;
  /** The agent that speaks; the embedded one knows it under this id. */
  agent: string;
  /** How the embedded service speaks: the profile of `simulated`. */
  profile: Profile;
  seed: string;
  /** What a call costs by its talk time, ms. Default: that of the embedded service. */
  price?: Price | undefined;
  clock: Clock;
}

const KEY = 'rehearsal';

/**
 * The embedded service in this process, without HTTP: who answers, how long calls last and what is said comes from the
 * same seed by the same code, and its analytics are read by the same reader of the profile. A call takes as long as it
 * would with real people, on the clock that is given.
 */
export async function embeddedService(options: EmbeddedOptions): Promise<VoiceService> {
  const { standsFor, agent, profile, seed, clock, price = REHEARSAL.price } = options;
  // Loaded only here, because other commands do not need them.
  const { DEMO_AGENT, Simulation } = await import('../../simulator/simulation.ts');
  const { analyticsOf } = await import('../../simulator/calls/conversation.ts');
  const { statusAt } = await import('../../simulator/calls/timeline.ts');
  const { createAnalyticsReader } = await import('../../service/calls/analytics.ts');
  const simulation = new Simulation({
    ...{ ...REHEARSAL, seed, timeScale: 1, clock, price },
    ...{ port: 0, keys: [KEY], capacity: null, rate: null, idempotency: false, faults: {} },
    state: null,
  });
  const account = simulation.accounts.get(KEY);
  if (account === undefined) throw new Error('the embedded service has no account');
  account.addAgent({ ...DEMO_AGENT, id: agent, voice: null, createdAt: clock.now() });
  const reader = createAnalyticsReader(profile.analytics);
  return {
    name: standsFor.name,
    url: 'embedded',
    fingerprint: standsFor.fingerprint,
    callList: null,
    startCall: async ({ phone, agent: agentId, attemptKey }, permit) => {
      if (!permit()) {
        return { kind: 'neverSent', cause: 'permit', status: null, detail: 'nothing was sent' };
      }
      const { call } = simulation.placeCall(account, { phone, agentId, attemptKey });
      return { kind: 'placed', callId: call.id, status: 201, detail: 'HTTP 201' };
    },
    readAnalytics: async (callId) => {
      const call = account.calls.get(callId);
      if (call === undefined) return unreadable(callId, 'the embedded service has no such call');
      const now = clock.now();
      const status = statusAt(call, now);
      if (status !== 'completed') return reader.readNotYet({ call_id: callId, status });
      const answer = analyticsOf(call, account.agentOf(call), simulation.options);
      const reading = reader.read(answer, now);
      return reading.kind === 'unreadable' ? unreadable(callId, reading.why) : reading;
    },
    probe: async () => ({ ok: true }),
    listAgents: async () => ({ agents: [], complete: true }),
    createAgent: () => Promise.reject(new Error('a rehearsal creates no agent')),
    close: () => simulation.close(),
  };
}

function unreadable(callId: string, why: string) {
  return { kind: 'unreadable' as const, detail: `${callId}: ${why}`, raw: '' };
}
