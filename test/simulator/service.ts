import { Agent, request } from 'undici';
import { expect, onTestFinished } from 'vitest';
import type { OutcomeShares } from '../../src/simulator/calls/timeline.ts';
import { startSimulator, type LedgerEntry, type Simulator } from '../../src/simulator/server.ts';
import type { SimulatorOptions } from '../../src/simulator/options.ts';
import { VirtualClock } from '../helpers/clock.ts';

export const KEY = 'sim-key-one';
export const OTHER_KEY = 'sim-key-two';

/** Everybody's calls end alike. */
export function everybody(outcome: keyof OutcomeShares): OutcomeShares {
  const nobody = {
    answered: 0,
    voicemail: 0,
    no_answer: 0,
    busy: 0,
    declined: 0,
    failed: 0,
    invalid_number: 0,
  };
  return { ...nobody, [outcome]: 100 };
}

/** A fictional number, +12125550100 to +12125550199 and on through other area codes. */
export function phone(index: number): string {
  return `+1${212 + Math.floor(index / 100)}55501${String(index % 100).padStart(2, '0')}`;
}

/** Every field that some answer has: a test reads those that it expects. */
export interface WireBody {
  error: { code: string; message: string; field?: string };
  call_id: string;
  agent_id: string;
  phone_number: string;
  status: string;
  created_at: string;
  started_at: string;
  ended_at: string;
  duration_seconds: number;
  cost?: string;
  sentiment: { label: string; score: number };
  transcript: string;
  turns: { role: 'agent' | 'person'; text: string }[];
  id: string;
  data: { id: string; name: string }[];
  next_cursor: string | null;
  has_more: boolean;
  calls: number;
  peak: number;
  numbers: LedgerEntry[];
}

// The matchers of vitest are typed `any`, which lint keeps out of typed expectations.
export const anyText = expect.any(String) as string;
export const anyNumber = expect.any(Number) as number;
export const containing = (text: string) => expect.stringContaining(text) as string;
export const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: WireBody;
}

export interface TestService extends Simulator {
  clock: VirtualClock;
  get(path: string, key?: string | null): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  dial(to: string, headers?: Record<string, string>, agent?: string): Promise<Answer>;
  analytics(callId: string, key?: string): Promise<Answer>;
}

/** A service on a clock that stands still; it is closed when the test ends. */
export async function aService(
  options: Partial<SimulatorOptions> & { clock?: VirtualClock } = {},
): Promise<TestService> {
  const clock = options.clock ?? new VirtualClock();
  const simulator = await startSimulator({
    port: 0,
    keys: [KEY, OTHER_KEY],
    seed: 'spring',
    timeScale: 1,
    mix: everybody('answered'),
    capacity: null,
    rate: null,
    unanswered: 'empty',
    idempotency: false,
    state: null,
    faults: {},
    ...options,
    clock,
  });
  const agent = new Agent({ connections: 64 });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await agent.destroy();
    await simulator.close();
  };
  onTestFinished(close);

  const send = async (
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Answer> => {
    const response = await request(`${simulator.url}${path}`, {
      dispatcher: agent,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text) as WireBody;
      },
    };
  };
  const get = (path: string, key: string | null = KEY) =>
    send('GET', path, key === null ? {} : { authorization: `Bearer ${key}` });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(
      'POST',
      path,
      { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      typeof body === 'string' ? body : JSON.stringify(body),
    );
  return {
    ...simulator,
    clock,
    get,
    post,
    dial: (to, headers = {}, agentId = 'ag_demo') =>
      post('/v1/calls/outbound', { phone_number: to, agent_id: agentId }, headers),
    analytics: (callId, key = KEY) => get(`/v1/calls/${callId}/analytics`, key),
    close,
  };
}
