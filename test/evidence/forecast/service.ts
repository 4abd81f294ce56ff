import type { Clock } from '../../../src/runtime/clock.ts';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import type { VoiceService } from '../../../src/service/port.ts';
import type { Profile } from '../../../src/service/profile/profile.ts';
import { analyticsOf } from '../../../src/simulator/calls/conversation.ts';
import { statusAt, type OutcomeShares } from '../../../src/simulator/calls/timeline.ts';
import { Simulation } from '../../../src/simulator/simulation.ts';

/** How people answer, and what is drawn; the forecast is not told. */
export interface Answering {
  mix: OutcomeShares;
  /** The share of conversations in which the person asks to be called again. */
  callbacks: number;
  seed: string;
}

const KEY = 'key';

/** The model of the embedded service, in this process, for people who answer like this. */
export function serviceFor(
  { mix, callbacks, seed }: Answering,
  { profile, clock, agent }: { profile: Profile; clock: Clock; agent: string },
): VoiceService {
  const simulation = new Simulation({
    ...{ seed, mix, callbacks, timeScale: 1, unanswered: 'outcome', clock, port: 0, keys: [KEY] },
    ...{ capacity: null, rate: null, idempotency: false, faults: {}, state: null },
  });
  const account = simulation.accounts.get(KEY);
  if (account === undefined) throw new Error('the service has no account');
  const spoken = { name: 'Agent', systemPrompt: 'You remind people of appointments.' };
  account.addAgent({ ...spoken, id: agent, voice: null, createdAt: clock.now() });
  const reader = createAnalyticsReader(profile.analytics);
  return {
    ...{ name: 'main', url: 'embedded', fingerprint: 'main-1', callList: null },
    startCall: async ({ phone, agent: agentId, attemptKey }, permit) => {
      if (!permit()) {
        return { kind: 'neverSent', cause: 'permit', status: null, detail: 'nothing was sent' };
      }
      const { call } = simulation.placeCall(account, { phone, agentId, attemptKey });
      return { kind: 'placed', callId: call.id, status: 201, detail: 'HTTP 201' };
    },
    readAnalytics: async (callId) => {
      const call = account.calls.get(callId);
      if (call === undefined) throw new Error(`no call ${callId}`);
      const now = clock.now();
      const status = statusAt(call, now);
      if (status !== 'completed') return reader.readNotYet({ call_id: callId, status });
      const answer = analyticsOf(call, account.agentOf(call), simulation.options);
      const reading = reader.read(answer, now);
      if (reading.kind === 'unreadable') throw new Error(reading.why);
      return reading;
    },
    probe: () => Promise.resolve({ ok: true }),
    listAgents: () => Promise.resolve({ agents: [], complete: true }),
    createAgent: () => Promise.reject(new Error('not asked for here')),
    close: () => simulation.close(),
  };
}
