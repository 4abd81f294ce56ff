import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { fastify, type FastifyError, type FastifyInstance } from 'fastify';

import { AppError, messageOf } from '../runtime/errors.ts';
import type { Account } from './account.ts';
import { capturedLead, converse, transcriptOf } from './calls/conversation.ts';
import type { CallRecord } from './calls/timeline.ts';
import {
  checkOptions,
  checkTarget,
  type SimulatorOptions,
  type WebhookTarget,
  type Wishes,
} from './options.ts';
import { agentRoutes, callRoutes } from './routes.ts';
import { Simulation } from './simulation.ts';
import type { Delivery } from './webhooks/webhook-outbox.ts';
import { gatekeeper, LEDGER_PATH, sendRefusal, WireError } from './wire/answers.ts';

/** A phone that rang, and every time it rang, the earliest first. The shape is the same in process and over HTTP. */
export interface LedgerEntry {
  phone_number: string;
  rings: ReturnType<typeof ringOf>[];
}

type LedgerEvent = ReturnType<typeof eventOf>;

/** The phones that really rang, one entry at a time, so that each transcript is made only when it is read. */
function* ledgerOf(account: Account, now: number, wishes: Wishes): Generator<LedgerEntry> {
  for (const [phone_number, { rings }] of account.phones) {
    if (rings.length > 0) {
      yield { phone_number, rings: rings.map((call) => ringOf(account, call, { now, wishes })) };
    }
  }
}

/** The events of these accounts; events of earlier calls come first. */
function* eventsOf(
  accounts: readonly Account[],
  deliveries: readonly Delivery[],
): Generator<LedgerEvent> {
  for (const delivery of deliveries) {
    if (accounts.some(({ id }) => id === delivery.account)) yield eventOf(delivery);
  }
}

/**
 * The ledger as the text of one JSON object `{calls, peak, numbers: LedgerEntry[], events: LedgerEvent[]}`, in pieces.
 */
function* ledgerJson(
  account: Account,
  deliveries: readonly Delivery[],
  now: number,
  wishes: Wishes,
): Generator<string> {
  yield `{"calls":${account.calls.size},"peak":${account.peak},"numbers":[`;
  yield* separated(ledgerOf(account, now, wishes));
  yield '],"events":[';
  yield* separated(eventsOf([account], deliveries));
  yield ']}';
}

function* separated(items: Iterable<unknown>): Generator<string> {
  let separator = '';
  for (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',';
  }
}

function eventOf({ event, state, tries }: Delivery) {
  return {
    event_id: event.id,
    type: event.type,
    call_id: event.callId,
    happened_at: new Date(event.happenedAt).toISOString(),
    /** The fault that was injected; null: none. */
    fault: event.fault,
    state,
    tries,
  };
}

function ringOf(
  account: Account,
  call: CallRecord,
  { now, wishes }: { now: number; wishes: Wishes },
) {
  const isOver = now >= call.endedAt;
  const said = isOver ? converse(call, account.agentOf(call), wishes) : null;
  return {
    call_id: call.id,
    agent_id: call.agentId,
    /** The `Idempotency-Key` of the dial; null if it had none. */
    attempt_key: call.attemptKey,
    rang_at: new Date(call.placedAt).toISOString(),
    /** null until the call has ended, and so are the five fields below. */
    ended_at: isOver ? new Date(call.endedAt).toISOString() : null,
    outcome: isOver ? call.outcome : null,
    /** Seconds; 0 if nobody answered. */
    duration: isOver ? call.durationS : null,
    /** null also if nobody answered. */
    sentiment: said?.sentiment ?? null,
    /** Empty if nobody answered. */
    transcript: said && transcriptOf(said.turns),
    /** The captured lead, by field; null also if nothing was captured. */
    captured_lead: (said && capturedLead(call, said.sentiment))?.fields ?? null,
  };
}

/** The embedded voice service, running. */
export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

/** Starts the embedded voice service: the whole documented interface over HTTP, for rehearsals and tests. */
export async function startSimulator(options: SimulatorOptions) {
  checkOptions(options);
  const simulation = new Simulation(options);
  const closing = new AbortController();
  const app = serverOf(simulation, closing.signal);
  const host = options.host ?? '127.0.0.1';
  try {
    await app.listen({ host, port: options.port });
  } catch (error) {
    await simulation.close();
    throw new AppError(
      'SIMULATOR_PORT_UNAVAILABLE',
      `The embedded service cannot listen on ${host}:${options.port} (${messageOf(error)}); allowed is a free port.`,
      { hint: 'Pass another --port, or 0 for any free one.', cause: error },
    );
  }
  const { port } = app.server.address() as AddressInfo;
  const accountsOf = (key?: string) =>
    [...simulation.accounts]
      .filter(([known]) => key === undefined || key === known)
      .map(([, account]) => account);
  return {
    /** Base address without a trailing slash, e.g. `http://127.0.0.1:8787`. */
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    /** Which phones rang, for one key or for all keys. */
    ledger: (key?: string) =>
      accountsOf(key).flatMap((account) => [...ledgerOf(account, options.clock.now(), options)]),
    /** Highest number of calls in progress at once, for one key, or the highest of any key. */
    peak: (key?: string) => Math.max(0, ...accountsOf(key).map((account) => account.peak)),
    /** The webhook events of calls, for one key or for all keys. */
    events: (key?: string) => [...eventsOf(accountsOf(key), simulation.outbox.deliveries)],
    /** Sets where events are sent; null keeps them waiting. Calls that were placed without a target have no events. */
    sendWebhooksTo: (target: WebhookTarget | null) => {
      if (target !== null) checkTarget(target);
      simulation.outbox.sendTo(target);
    },
    /** Stops at once and closes open connections. */
    close: async () => {
      closing.abort();
      await app.close();
      await simulation.close();
    },
  };
}

function serverOf(simulation: Simulation, closing: AbortSignal): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: true });
  app.decorateRequest('account');
  const admit = gatekeeper(simulation);
  app.addHook('onRequest', (request, _reply, done) => {
    admit(request);
    simulation.refresh();
    done();
  });
  app.setErrorHandler((error: FastifyError, _request, reply) => sendRefusal(reply, error));
  app.setNotFoundHandler(({ method, url }, reply) =>
    sendRefusal(reply, new WireError(404, 'not_found', `There is no ${method} ${url}.`)),
  );
  agentRoutes(app, simulation);
  callRoutes(app, simulation, closing);
  // The calls and events of this key, streamed.
  app.get(LEDGER_PATH, ({ account }, reply) => {
    const { outbox, options } = simulation;
    const pieces = ledgerJson(account, outbox.deliveries, options.clock.now(), options);
    return reply.type('application/json; charset=utf-8').send(Readable.from(pieces));
  });
  return app;
}
