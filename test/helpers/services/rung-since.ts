import { desk } from '../callsheet.ts';
import { AGENT, KEY, simulatedService } from './simulated-service.ts';

/** Flags of a run there. */
export const SET = ['--agent', AGENT, '--yes', '--set', 'polling.floor=20ms'];

/** A desk beside a service; `called`: who rang since it was asked last. */
export async function aDeskBesideAService() {
  const service = await simulatedService({ fixedCallMs: 10 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  let before = 0;
  const called = () => {
    const rang = service.ledger().map((entry) => entry.phone_number);
    const now = rang.slice(before).toSorted();
    before = rang.length;
    return now;
  };
  return { at, called };
}
