import type { Health } from '../../collect/inbox/health-route.ts';
import type { Store } from '../../store/port.ts';
import type { CommitListener } from '../../store/sqlite/group-commit.ts';
import type { OpenService } from '../services/service.ts';
import type { World } from '../world.ts';
import { watchForManager } from './manager-watch.ts';
import type { MetricsAt } from './metrics-listener.ts';
import { createPulse } from './pulse.ts';

export interface MonitorOptions {
  store: Store;
  /** Sets the listener of commits. */
  onCommit: (heard: CommitListener) => void;
  /** Aborts when no more calls begin. */
  stopping: AbortSignal;
  /** Where metrics are served; null: nowhere. */
  metrics: MetricsAt | null;
}

/** Reports how a `serve` does to a service manager, to monitors and to Prometheus. */
export interface Monitor {
  health: Health;
  /** Takes the place of the store that was given. */
  store: Store;
  /** Takes the place of a service. */
  observed(opened: OpenService): OpenService;
  /** Aborts when the database is lost, with the error as its reason. */
  lost: AbortSignal;
  /** To be called whenever the main loop looks over the campaigns. */
  round: () => void;
  /** To be called when webhooks are received and the main loop begins. */
  ready(): void;
  close(): Promise<void>;
}

/** @throws AppError `METRICS_PORT_UNAVAILABLE` (exit 2) */
export async function startMonitor(
  { store, onCommit, stopping, metrics: at }: MonitorOptions,
  world: World,
): Promise<Monitor> {
  const { clock } = world;
  const pulse = createPulse(clock, stopping);
  const { health, round } = pulse;
  // Loaded only on demand: few users ask for metrics.
  const load = () => import('./metrics-listener.ts');
  const metrics = at && (await (await load()).serveMetrics(at, { store, health, clock }));
  if (metrics !== null) world.tell(`Metrics are at ${metrics.url}.`);
  onCommit(pulse.committed);
  const over = new AbortController();
  const lost = new AbortController();
  const trying = pulse.tryStore(store, over.signal, (error) => {
    lost.abort(error);
  });
  const manager = watchForManager(pulse, stopping, world);
  return {
    health,
    lost: lost.signal,
    store: metrics?.store ?? store,
    observed: (opened) =>
      metrics === null ? opened : { ...opened, service: metrics.observed(opened.service) },
    round,
    ready: () => {
      round();
      manager.ready();
    },
    close: async () => {
      over.abort();
      await trying;
      await manager.close();
      await metrics?.close();
    },
  };
}
