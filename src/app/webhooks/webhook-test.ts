import { webhookPath } from '../../collect/inbox/receiver-options.ts';
import { AppError, EXIT, type ExitCode } from '../../runtime/errors.ts';
import { sendTestDelivery, type TestAnswer } from '../../service/webhooks/send.ts';
import type { Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import type { OpenService } from '../services/service.ts';
import { withServices, type ServeRequest } from '../serve/serve.ts';
import { readSecrets, startListener } from './webhook-listener.ts';

/** How long a delivery that was answered with 200 may take to be seen in the database. */
const SEEN_WITHIN_MS = 5_000;

/**
 * Sends a signed delivery through the public address, including any proxy, and tells where it got lost. Starts a
 * listener unless one is running there already.
 *
 * @throws AppError `WEBHOOK_LOST` (exit 1), naming the place and what to do there
 */
export function testDelivery(request: ServeRequest, world: World): Promise<ExitCode> {
  const { listenAt } = request;
  return withServices(request, world, async ({ store, services, open }) => {
    const listener = await startListener({ store, listenAt, notices: null }, world).catch(
      (error: unknown) => {
        // The port is taken, so the delivery goes to the listener that is running there already.
        if (error instanceof AppError && error.code === 'WEBHOOK_PORT_UNAVAILABLE')
          return undefined;
        throw error;
      },
    );
    try {
      const name = request.service ?? services[0] ?? '';
      const opened = await open(name);
      if (opened === undefined) return EXIT.usage;
      await listener?.add(opened);
      const token = await store.webhookToken(name, world.newId('hook'), world.clock.now());
      const own = listener?.addresses.find(({ service }) => service === name)?.url;
      const base = listenAt.publicUrl ?? `http://${listenAt.host}:${listenAt.port}`;
      const url = own ?? base.replace(/(?<!\/)\/+$/, '') + webhookPath(name, token);
      await sendAndLookFor(url, opened, store, world);
      return EXIT.ok;
    } finally {
      await listener?.close();
    }
  });
}

/** @param url the webhook address that was entered at the service */
async function sendAndLookFor(
  url: string,
  { config, profile }: OpenService,
  store: Store,
  world: World,
): Promise<void> {
  const [secret] = readSecrets(config, world);
  const id = world.newId('test');
  const startedAt = world.clock.monotonic();
  const answer = await sendTestDelivery(url, profile, secret, { id, clock: world.clock });
  const isOnlyUnsigned = answer.status === 401 && refusalIn(answer.text) === 'signature missing';
  // callsheet has only the public key and cannot sign, so a refusal for the missing signature is the best outcome.
  const isSignedByOwner = profile.webhooks?.signature.scheme === 'ed25519';
  if (isOnlyUnsigned && secret !== undefined && isSignedByOwner) {
    world.tell(
      `A delivery came through ${url} to callsheet, which refused it as it must: only the service can sign one, with the private half of its key.`,
    );
    return;
  }
  const lost = whereLost(answer, url);
  if (lost !== null) throw lost;
  if (!(await isSeen(store, config.name, answer.keys, world))) {
    throw lostAt(
      `${url} answered, but the delivery is not in ${store.name}: what listens there is another callsheet, or another program`,
      'let `callsheet serve` use the same --db, or correct where the proxy leads',
    );
  }
  const tookMs = Math.round(world.clock.monotonic() - startedAt);
  const how = secret === undefined ? 'unsigned' : 'signed';
  world.tell(`A delivery (${how}) came through ${url} into ${store.name} in ${tookMs} ms.`);
}

function whereLost(answer: TestAnswer, url: string): AppError | null {
  if (answer.status === null) {
    return lostAt(
      `${new URL(url).origin} cannot be reached from this machine: ${answer.why}`,
      'check the name, the certificate and the firewall before the proxy',
    );
  }
  if (answer.status === 200) return null;
  const { status } = answer;
  const refusal = refusalIn(answer.text);
  if (refusal === null) {
    const what = [502, 503, 504].includes(status) ? ', as if nothing listened behind it' : '';
    return lostAt(
      `the proxy at ${new URL(url).origin} answered with HTTP ${status}${what}, and callsheet never saw the delivery`,
      'let it pass POST /webhooks/ to the address that `callsheet serve` prints, with path and body unchanged',
    );
  }
  if (status === 401) {
    return lostAt(
      `callsheet refused it (HTTP 401): ${refusal}`,
      'let both use the same secret (webhookSecretEnv), and let the proxy keep all headers and the body as they are',
    );
  }
  if (status === 404) {
    return lostAt(
      'callsheet received it and does not know this path (HTTP 404)',
      'let `callsheet serve` use the same --db and --services, and the proxy keep the path',
    );
  }
  return lostAt(
    `callsheet could not keep it (HTTP ${status})`,
    '`callsheet doctor` looks at the database',
  );
}

/** Why callsheet refused the delivery; null: another program answered. */
function refusalIn(text: string): string | null {
  if (!text.includes('"by":"callsheet"')) return null;
  return (/"code":"([a-z_]+)"/.exec(text)?.[1] ?? 'no reason given').replaceAll('_', ' ');
}

async function isSeen(
  store: Store,
  service: string,
  keys: readonly string[],
  world: World,
): Promise<boolean> {
  const until = world.clock.monotonic() + SEEN_WITHIN_MS;
  for (;;) {
    const newest = await store.listDeliveries({ state: null, service, limit: 100 });
    if (newest.some(({ key }) => keys.includes(key))) return true;
    if (world.clock.monotonic() > until) return false;
    await world.clock.sleep(100);
  }
}

function lostAt(place: string, hint: string): AppError {
  return new AppError('WEBHOOK_LOST', `The test delivery got lost: ${place}.`, {
    hint,
    exitCode: EXIT.failed,
  });
}
