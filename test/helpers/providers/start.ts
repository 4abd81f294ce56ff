import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { systemClock } from '../../../src/runtime/clock.ts';
import { bland } from './bland.ts';
import { bolna } from './bolna.ts';
import { Book } from './book.ts';
import { cartesia } from './cartesia.ts';
import { Deliveries } from './deliveries.ts';
import { elevenlabs } from './elevenlabs.ts';
import type {
  Provider,
  ProviderCall,
  ProviderName,
  ProviderOptions,
  HttpClient,
} from './provider.ts';
import { retell } from './retell.ts';
import { synthflow } from './synthflow.ts';
import { telnyx } from './telnyx.ts';
import { twilio } from './twilio.ts';
import { ultravox } from './ultravox.ts';
import { vapi } from './vapi.ts';
import { vogent } from './vogent.ts';

const WIRES: Record<ProviderName, () => HttpClient> = {
  vapi,
  retell,
  elevenlabs,
  bland,
  bolna,
  twilio,
  synthflow,
  telnyx,
  ultravox,
  vogent,
  cartesia,
};

/** What becomes of calls at this provider, and what its published documents know of trouble. */
export function knownOf(name: ProviderName): Pick<HttpClient, 'outcomes' | 'troubles'> {
  return WIRES[name]();
}

/** Of each provider's first server, for all of its later ones: long schemas are compiled once. */
const compilers = new Map<ProviderName, Promise<FastifyInstance['validatorCompiler']>>();

/** A server on loopback that speaks as this provider's public specification says, and calls nobody. */
export async function startProvider(
  name: ProviderName,
  options: ProviderOptions = {},
): Promise<Provider> {
  const clock = options.clock ?? systemClock;
  const wire = WIRES[name]();
  const book = new Book(wire, { ...options, clock });
  const deliveries = new Deliveries(wire, clock, options.seed ?? 'spring');
  book.isInstant = (ordinal) => deliveries.isEarly(ordinal);
  book.onPlaced = (call) => deliveries.tell(call);
  const asked: string[] = [];
  const invalid: string[] = [];
  const app = fastify({
    logger: false,
    forceCloseConnections: true,
    // A published schema is held as it stands: nothing is made to fit, and every mistake is told.
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: true,
        strict: false,
      },
    },
  });
  app.setErrorHandler((error: { message: string; statusCode?: number }, request, reply) => {
    invalid.push(`${request.method} ${request.url}: ${error.message}`);
    return reply.code(error.statusCode ?? 500).send({ error: error.message });
  });
  app.addHook('onRequest', (request, _reply, done) => {
    asked.push(`${request.method} ${request.url}`);
    done();
  });
  const first = compilers.get(name);
  // Tests start several at once: without a wait for the first, each would compile.
  const compiler = first && (await first);
  if (compiler !== undefined) app.setValidatorCompiler(compiler);
  wire.routes(app, book);
  const listening = app.listen({ host: '127.0.0.1', port: 0 });
  if (first === undefined)
    compilers.set(
      name,
      listening.then(() => app.validatorCompiler),
    );
  await listening;
  return {
    name,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    key: wire.key,
    agent: book.agents[0]?.id ?? '',
    from: wire.from,
    ids: wire.ids ?? {},
    webhookSecret: wire.webhookSecret,
    ledger: () => book.calls.map(ledgerCall),
    requests: () => asked,
    invalid: () => invalid,
    sendWebhooksTo: (target) => {
      deliveries.sendTo(target);
    },
    close: async () => {
      await deliveries.close();
      await app.close();
    },
  };
}

function ledgerCall(call: ProviderCall) {
  const { phone, callId, agentId, outcome, durationS, sentiment } = call;
  const { transcript, summary, costUsd, variables, metadata, rang } = call;
  const told = { transcript, summary, costUsd, variables, metadata, rang };
  return { phone, callId, agentId, outcome, durationS, sentiment, ...told };
}
