import type { Random } from '../../../src/runtime/random.ts';

/**
 * How long calls take from the dial to their analytics, ms: a mixture of people who do not answer, answering
 * machines and talks, each with a delay until the analytics are there. Half are over after 48 s, nine in ten
 * after 173 s, 99 % after 370 s.
 */
export function callMs(random: Random): number {
  return Math.max(1_000, lineDownMs(random)) + -Math.log(1 - random()) * 5_000;
}

function lineDownMs(random: Random): number {
  const kind = random();
  // Rings out.
  if (kind < 0.4) return 30_000 + normal(random) * 2_000;
  // A machine: 25 to 50 s.
  if (kind < 0.5) return 25_000 + random() * 25_000;
  // Rings for 5 to 20 s; talks are log-normal, half of them longer than 90 s.
  return 5_000 + random() * 15_000 + 90_000 * Math.exp(0.67 * normal(random));
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
