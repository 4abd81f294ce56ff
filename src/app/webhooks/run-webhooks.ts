import { createDeliveryProtocol } from '../../service/webhooks/deliveries.ts';
import type { Store } from '../../store/port.ts';
import type { Log } from '../../runtime/log.ts';
import type { World } from '../world.ts';
import type { MessageKind } from '../world.ts';
import { tellNotices } from '../../cli/print/notice-teller.ts';
import type { OpenService } from '../services/service.ts';
import type { ListenerFlags } from '../../cli/args/listener-options.ts';
import type { Listener } from './webhook-listener.ts';

/**
 * Receives the webhooks of the campaign's service while it runs, where --webhooks says so; else says what is
 * missed without them.
 *
 * @throws AppError those of `startListener`
 */
export async function listenWhile(
  opened: OpenService,
  store: Store,
  args: ListenerFlags & { webhooks: boolean },
  log: Log,
  world: World,
): Promise<Listener | undefined> {
  if (!args.webhooks) {
    if (createDeliveryProtocol(opened.profile, []) !== null) world.tell(NOBODY_LISTENS);
    return undefined;
  }
  // With the HTTP server, which takes longer to load than all else.
  const { addressLines, startListener } = await import('./webhook-listener.ts');
  const tell = (sentence: string, kind: MessageKind) => {
    world.tell(sentence, kind);
  };
  const notices = tellNotices({ campaign: '', log, tell }, world.clock);
  const listener = await startListener({ store, flags: args, notices }, world);
  await listener.add(opened);
  for (const line of addressLines(listener)) world.tell(line);
  return listener;
}

/** Only events carry captured leads. */
const NOBODY_LISTENS =
  'Results come by looking at each call; captured leads come by webhook alone: --webhooks, or `callsheet serve` beside it, receives them.';
