import { withCampaign } from '../places/databases.ts';
import { readUntil } from '../typed-day.ts';
import { leadAt, type PlaceRequest } from '../watch/one-person.ts';
import type { World } from '../world.ts';
import { suppressNumber } from './suppress.ts';

interface SuppressPersonRequest extends PlaceRequest {
  note?: string | undefined;
  /** The last day on which it holds, `2026-07-01`, in the machine's zone; default: for good. */
  until?: string | undefined;
}

/**
 * Suppresses all numbers of a person of a campaign, in the database of that campaign.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN`, `LEAD_UNKNOWN`, `FLAG_INVALID` (exit 2)
 */
export async function suppressPerson(request: SuppressPersonRequest, world: World): Promise<void> {
  const { note, until } = request;
  const expiresAt = until === undefined ? null : await readUntil('until', until, world);
  const { numbers, db } = await withCampaign(request, world, 'read', async (open) => {
    const { phone, furtherNumbers } = await leadAt(open, request);
    return { numbers: [phone, ...furtherNumbers], db: open.store.location };
  });
  for (const number of numbers) await suppressNumber({ number, note, db }, expiresAt, world);
}
