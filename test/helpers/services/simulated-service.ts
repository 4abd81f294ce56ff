import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { startSimulator, type LedgerEntry, type Simulator } from '../../../src/simulator/server.ts';
import type { SimulatorOptions } from '../../../src/simulator/options.ts';
import type { AtEnd } from '../files/temp.ts';

export const KEY = 'simulator-key';
export const AGENT = 'ag_demo';

/** The embedded service in this process, an hour in 1.8 seconds; it is closed when the test ends, or as `atEnd` says. */
export async function simulatedService(
  options: Partial<SimulatorOptions> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Simulator> {
  const simulator = await startSimulator({
    port: 0,
    keys: [KEY],
    seed: 'spring',
    timeScale: 2_000,
    mix: 'warm',
    capacity: null,
    rate: null,
    unanswered: 'empty',
    idempotency: false,
    state: null,
    faults: {},
    clock: systemClock,
    ...options,
  });
  atEnd(() => simulator.close());
  return simulator;
}

export interface WireLedger {
  calls: number;
  peak: number;
  numbers: LedgerEntry[];
}

/** What phones really rang, as the service itself tells it over the wire. */
export async function ledgerAt(url: string, key: string): Promise<WireLedger> {
  const answer = await request(`${url}/ledger`, { headers: { authorization: `Bearer ${key}` } });
  return (await answer.body.json()) as WireLedger;
}

/** Numbers that rang more than once: nobody may be among them. */
export function rangTwice(numbers: readonly LedgerEntry[]): string[] {
  return numbers.filter(({ rings }) => rings.length !== 1).map((entry) => entry.phone_number);
}
