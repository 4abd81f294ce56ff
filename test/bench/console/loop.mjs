// Preloaded into a measured process: how long its event loop was held since the last SIGUSR2, written at the next one.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const EVERY_MS = 5;
const delay = monitorEventLoopDelay({ resolution: EVERY_MS });
delay.enable();
// On a busy machine another process may be what holds it: processor time between two turns says so.
let [worked, last] = [0, process.cpuUsage()];
setInterval(() => {
  const { user, system } = process.cpuUsage(last);
  worked = Math.max(worked, (user + system) / 1_000);
  last = process.cpuUsage();
}, EVERY_MS).unref();

process.on('SIGUSR2', () => {
  // What is measured is the time between two turns.
  const later = (ns) => Math.max(0, ns / 1e6 - EVERY_MS);
  const held = { max: later(delay.max), at99: later(delay.percentile(99)), worked };
  writeFileSync(process.env.BENCH_LOOP, JSON.stringify(held));
  delay.reset();
  worked = 0;
});
