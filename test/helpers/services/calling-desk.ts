import { expect } from 'vitest';
import { desk, type Desk } from '../callsheet.ts';
import { AGENT, KEY, rangTwice, simulatedService } from './simulated-service.ts';

export const CALL = ['--agent', AGENT, '--set', 'polling.floor=20ms'];

/** A desk beside a service that keeps a ledger of who rang. */
export async function callingDesk(): Promise<{ at: Desk; rang: () => string[] }> {
  const service = await simulatedService({ fixedCallMs: 10 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  const rang = () => {
    expect(rangTwice(service.ledger())).toEqual([]);
    return service
      .ledger()
      .map((entry) => entry.phone_number)
      .toSorted();
  };
  return { at, rang };
}
