import type { WebhookCounts } from '../../collect/inbox/webhook-counts.ts';
import type { HealthAnswers } from '../../domain/monitoring/health.ts';
import type { Store } from '../../store/port.ts';
import type { Commit } from '../../store/sqlite/group-commit.ts';
import type { OpenService } from '../services/service.ts';
import type { World } from '../world.ts';
import { watchForManager } from './manager-watch.ts';
import type { MetricsAt } from './metrics-listener.ts';
import { observedService, observedStore, type CallWatch } from './observed.ts';
import { createPulse } from './pulse.ts';
import type { StateSources } from './state-metrics.ts';

export interface MonitorOptions {
  store: Store;
  /** Sets who is told of commits. */
  onCommit: (heard: (commit: Commit) => void) => void;
  /** Aborts when no more calls begin. */
  stopping: AbortSignal;
  /** Null: metrics are told nowhere. */
  metrics: (MetricsAt & { version: string }) | null;
}

/** What tells others how a `serve` does: a service manager, monitors, Prometheus. */
export interface Monitor {
  health: HealthAnswers;
  /** Takes the place of the store that was given. */
  store: Store;
  /** Takes the place of a service. */
  observed(opened: OpenService): OpenService;
  /** The loop looks over the campaigns. */
  round: () => void;
  /** Webhooks are received, and the loop begins. */
  ready(deliveries: WebhookCounts): void;
  close(): Promise<void>;
}

/** @throws AppError `METRICS_PORT_UNAVAILABLE` (exit 2) */
export async function startMonitor(
  { store, onCommit, stopping, metrics: at }: MonitorOptions,
  world: World,
): Promise<Monitor> {
  const { clock } = world;
  const pulse = createPulse(clock, stopping);
  const { health } = pulse;
  let counts: WebhookCounts | undefined;
  const sources = { store, health, deliveries: () => counts, clock };
  const told = at === null ? undefined : await tellMetrics(at, sources, world);
  const calls: CallWatch | undefined = told?.metrics.calls;
  onCommit((commit) => {
    pulse.committed(commit);
    told?.metrics.calls.committed(commit);
  });
  const over = new AbortController();
  const trying = pulse.tryStore(store, over.signal);
  const manager = watchForManager(pulse, stopping, world);
  return {
    health,
    store: calls === undefined ? store : observedStore(store, calls),
    observed: (opened) =>
      calls === undefined ? opened : { ...opened, service: observedService(opened.service, calls) },
    round: pulse.round,
    ready: (deliveries) => {
      counts = deliveries;
      pulse.round();
      pulse.listens();
      manager.ready();
    },
    close: async () => {
      over.abort();
      await trying;
      await manager.close();
      await told?.close();
    },
  };
}

async function tellMetrics(
  at: MetricsAt & { version: string },
  sources: StateSources,
  world: World,
) {
  // Loaded only here: most who serve ask for no metrics.
  const { createMetrics } = await import('./metrics.ts');
  const { listenForMetrics } = await import('./metrics-listener.ts');
  const metrics = createMetrics(sources, at.version);
  try {
    const listener = await listenForMetrics(at, metrics, sources.health);
    world.tell(`Metrics are at ${listener.url}/metrics; /healthz and /readyz are there, too.`);
    return {
      metrics,
      close: async () => {
        metrics.stop();
        await listener.close();
      },
    };
  } catch (error) {
    metrics.stop();
    throw error;
  }
}
