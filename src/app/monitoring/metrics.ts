import { Registry } from 'prom-client';
import { callMetrics } from './call-metrics.ts';
import { processMetrics } from './process-metrics.ts';
import { stateMetrics, type StateSources } from './state-metrics.ts';

/** All metrics of a `serve`, in a registry of its own. */
export function createMetrics(sources: StateSources, version: string) {
  const registry = new Registry();
  const calls = callMetrics(registry);
  const readState = stateMetrics(registry, sources);
  const ofProcess = processMetrics(registry, version);
  return {
    calls,
    /** The type of the text. */
    contentType: registry.contentType,
    /** In the text format of Prometheus, version 0.0.4. @throws the store's errors */
    text: async (): Promise<string> => {
      await readState();
      ofProcess.read();
      return registry.metrics();
    },
    stop: ofProcess.stop,
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
