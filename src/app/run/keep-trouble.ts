import type { Notice } from '../../runtime/notice.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';

/** Writes into the history when the service began to fail and when it took calls again: `status` reads it. */
export function keepTrouble(store: Pick<Store, 'addHistory'>, { id }: Campaign, world: World) {
  let isFailing = false;
  let writing = Promise.resolve();
  return {
    heard: (notice: Notice): void => {
      if (notice.event !== (isFailing ? 'breaker.closed' : 'breaker.opened')) return;
      isFailing = !isFailing;
      const what = isFailing ? 'service.failing' : 'service.answered';
      const detail = { why: 'detail' in notice ? notice.detail : undefined };
      const entry = { at: world.clock.now(), who: 'callsheet', what, detail };
      writing = writing.then(() => store.addHistory(id, entry)).catch(world.keepStack);
    },
    /** Waits until all of it is written. */
    kept: (): Promise<void> => writing,
  };
}
