import type { Log } from '../../runtime/log.ts';
import { createDeliveryProtocol } from '../../service/webhooks/deliveries.ts';
import type { Store } from '../../store/port.ts';
import { foldNotices, type NoticeEvent } from '../run/fold-notices.ts';
import type { OpenService } from '../services/service.ts';
import type { World } from '../world.ts';
import type { ListenAt, Listener } from './webhook-listener.ts';

/**
 * Receives the webhooks of the campaign's service while it runs, where that is wanted; else says what is missed
 * without them.
 *
 * @param options.listenAt null: nobody listens
 * @throws AppError those of `startListener`
 */
export async function listenWhile(
  opened: OpenService,
  store: Store,
  {
    listenAt,
    log,
    onEvent,
  }: { listenAt: ListenAt | null; log: Log; onEvent: (event: NoticeEvent) => void },
  world: World,
): Promise<Listener | undefined> {
  if (listenAt === null) {
    if (createDeliveryProtocol(opened.profile, []) !== null) world.tell(NOBODY_LISTENS);
    return undefined;
  }
  // With the HTTP server, which takes longer to load than all else.
  const { tellAddresses, startListener } = await import('./webhook-listener.ts');
  const notices = foldNotices(log, onEvent, world.clock);
  const listener = await startListener({ store, listenAt, notices }, world);
  await listener.add(opened);
  tellAddresses(listener, world);
  return listener;
}

/** Only events carry captured leads. */
const NOBODY_LISTENS =
  'Results come by polling each call; captured leads come by webhook only: run with --webhooks, or run `callsheet serve` beside it, to receive them.';
