import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { AtEnd } from '../files/temp.ts';

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface Asked {
  method: string;
  path: string;
  key: string | undefined;
  body: Record<string, unknown>;
}

/** How a small voice service answers; what is left out is as plain as can be. */
export interface Behaviour {
  agents?: (asked: Asked) => Answer | Promise<Answer>;
  dial?: (asked: Asked, callId: string, count: number) => Answer | Promise<Answer>;
  analytics?: (callId: string, phone: string) => Answer;
}

export interface VoiceServer {
  url: string;
  /** Every request, in the order of its coming. */
  asked: Asked[];
  /** Numbers in the order in which they were dialled. */
  dialled: string[];
  /** Most dials in flight at once. */
  peak: number;
  /** How it answers may be changed while it runs. */
  behave(behaviour: Behaviour): void;
}

/** A voice service of a few lines, which remembers what it was asked. */
export async function voiceServer(
  behaviour: Behaviour = {},
  atEnd: AtEnd = onTestFinished,
): Promise<VoiceServer> {
  let current = behaviour;
  let inFlight = 0;
  const phones = new Map<string, string>();
  const seen: VoiceServer = {
    url: '',
    asked: [],
    dialled: [],
    peak: 0,
    behave: (next) => (current = next),
  };

  const answer = async (asked: Asked): Promise<Answer> => {
    if (asked.path === '/v1/agents' && (asked.method === 'GET' || current.agents !== undefined)) {
      const plain = { data: [{ id: 'ag_1', name: 'Renewals' }] };
      return (await current.agents?.(asked)) ?? { body: plain };
    }
    if (asked.path === '/v1/calls/outbound') {
      const phone = String(asked.body['phone_number']);
      const callId = `call-${phones.size + 1}`;
      phones.set(callId, phone);
      seen.dialled.push(phone);
      seen.peak = Math.max(seen.peak, (inFlight += 1));
      try {
        return (await current.dial?.(asked, callId, phones.size)) ?? { body: { call_id: callId } };
      } finally {
        inFlight -= 1;
      }
    }
    const callId = /^\/v1\/calls\/([^/]+)\/analytics$/.exec(asked.path)?.[1];
    const phone = phones.get(callId ?? '');
    if (callId === undefined || phone === undefined) return { status: 404, body: {} };
    return current.analytics?.(callId, phone) ?? { body: talked(phone) };
  };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const asked: Asked = {
        method: request.method ?? '',
        path: (request.url ?? '').split('?')[0] ?? '',
        key: request.headers.authorization,
        body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      };
      seen.asked.push(asked);
      void answer(asked).then(({ status = 200, headers, body }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  atEnd(
    () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  );
  seen.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return seen;
}

/** Plain analytics of a call with a person. */
export function talked(phone: string) {
  return {
    status: 'completed',
    duration: 12.5,
    sentiment: 'positive',
    transcript: `agent: Hello ${phone}.\nuser: Hello.`,
  };
}

/** A gate that holds answers until it is opened; `waiting(n)` resolves once n are held. */
export function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let held = 0;
  const watchers = new Set<() => void>();
  return {
    open: () => {
      open();
    },
    pass: () => {
      held += 1;
      for (const watcher of watchers) watcher();
      return opened;
    },
    waiting: (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (held >= count) resolve();
        };
        watchers.add(look);
        look();
      }),
  };
}
