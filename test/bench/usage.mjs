// Preloaded into each measured process: its processor time and peak memory, written when it ends.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { peakMb: (maxRSS * 1_024) / 1e6, cpuS: (userCPUTime + systemCPUTime) / 1e6 };
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage));
});
