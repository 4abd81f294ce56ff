import type { FoundLead } from '../../store/port.ts';
import { localTime } from '../../text/local-time.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { OpenCampaign } from '../places/databases.ts';

/** Why somebody is not called who does not wait for a call: it is over for them, or in progress. */
export async function whyNotWaiting(asked: OpenCampaign, found: FoundLead): Promise<string[]> {
  return [found.state === 'done' ? endText(found) : await inProgress(asked, found)];
}

/** How it ended for somebody, e.g. `answered after 1 call`, `suppressed without a call: on the suppression list ...`. */
export function endText({ result, reason, attempts }: FoundLead): string {
  const calls = attempts === 0 ? 'without a call' : `after ${counted(attempts, 'call')}`;
  const why = reason === null ? '' : `: ${reason}`;
  return `it is over for them, ${(result ?? 'done').replaceAll('_', ' ')} ${calls}${why}`;
}

async function inProgress(
  { store, campaign, world }: OpenCampaign,
  found: FoundLead,
): Promise<string> {
  const { id, name, settings } = campaign;
  const held = await store.heldSlots(id, world.clock.now());
  const rows = await store.attemptsOf(id, found.phone);
  const own = new Set(rows.flatMap(({ attempt }) => (attempt === null ? [] : [attempt.id])));
  const slot = held.find(({ attemptId }) => own.has(attemptId));
  const last = rows.at(-1)?.attempt;
  const at = last == null ? null : localTime(last.intentAt, settings.timezone);
  const since = at === null ? '' : ` since ${at}`;
  if (last?.state === 'unknown')
    return `it is not known whether their call${at === null ? '' : ` of ${at}`} was made; nobody is called again for that (\`callsheet resolve ${shellWord(name)}\`)`;
  if (slot === undefined)
    return `their call${at === null ? '' : ` of ${at}`} is over; its result is still awaited`;
  return `they are being called${since}; the call ends by ${localTime(slot.holdsUntil, settings.timezone)} at the latest`;
}
