import { Counter, Gauge, type Registry } from 'prom-client';
import { processUsage, watchEventLoop } from '../../runtime/monitoring/process-usage.ts';

/** Metrics of this process. @returns `read`, to be called before each answer, and `stop` */
export function processMetrics(registry: Registry, version: string) {
  const registers = [registry];
  const loop = watchEventLoop();
  const gauge = (name: string, help: string) => new Gauge({ registers, name, help });
  const mean = gauge(
    'callsheet_event_loop_delay_mean_seconds',
    'Mean delay of the event loop since the last time that metrics were read.',
  );
  const p99 = gauge(
    'callsheet_event_loop_delay_p99_seconds',
    'Delay of the event loop that 1 % were above, since the last time that metrics were read.',
  );
  const max = gauge(
    'callsheet_event_loop_delay_max_seconds',
    'Longest delay of the event loop since the last time that metrics were read.',
  );
  const cpu = new Counter({
    registers,
    name: 'process_cpu_seconds_total',
    help: 'Processor time that this process has used.',
  });
  const resident = gauge('process_resident_memory_bytes', 'Resident memory of this process.');
  const { startedAt, node } = processUsage();
  gauge('process_start_time_seconds', 'When this process started, since 1970.').set(startedAt);
  new Gauge({
    registers,
    name: 'callsheet_build_info',
    help: '1, with the versions of callsheet and Node.',
    labelNames: ['version', 'node'],
  }).set({ version, node }, 1);

  return {
    read: (): void => {
      const delays = loop.take();
      mean.set(delays.mean);
      p99.set(delays.p99);
      max.set(delays.max);
      const used = processUsage();
      cpu.reset();
      cpu.inc(used.cpuSeconds);
      resident.set(used.residentBytes);
    },
    stop: loop.stop,
  };
}
