import { maskWrittenNumbers } from '../../domain/phone.ts';
import { shownLine } from '../../domain/safe-text.ts';
import type { NoticeEventName, NoticeTarget } from '../../domain/notices/target.ts';
import { shortHash } from '../../runtime/ids.ts';
import type { Campaign, Progress, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { receiversOf } from './targets.ts';

/** What a notice is about; equal ones of one night are told once. */
export interface Told {
  event: NoticeEventName;
  /** Null: it is of no campaign. */
  campaign: Pick<Campaign, 'id' | 'name' | 'settings' | 'simulated'> | null;
  night: string;
  /** A word for programs, e.g. `disk_full`. */
  reason: string;
  /** What tells it from others of this event; default: `reason`. */
  about?: string;
  /** One or two sentences for people. */
  text: string;
  /** Further fields of the JSON. */
  more?: Record<string, unknown>;
  /** When it was, epoch ms; default: now. */
  at?: number;
}

/** Longer texts, such as a service's error page, would not be read. */
const LONGEST_TEXT = 1_000;

/**
 * Writes a notice to the database, from where it is sent; the id is made from what it is about, so that several
 * processes and restarts write it once.
 *
 * @param silent it is only written down, and nobody is told
 */
export async function writeNotice(
  { event, campaign, night, reason, text, more = {}, ...told }: Told,
  { store, own, silent = false }: { store: Store; own: readonly NoticeTarget[]; silent?: boolean },
  world: World,
): Promise<void> {
  const { at = world.clock.now(), about = reason } = told;
  const id = `ntc_${shortHash([campaign?.id ?? '', night, event, about])}`;
  const name = campaign === null ? null : campaign.name;
  const start = `${campaign?.simulated === true ? 'Rehearsal: ' : ''}${name === null ? '' : `${name}: `}`;
  const body = {
    id,
    event,
    reason,
    campaign: name,
    ...(campaign?.simulated === true && { rehearsal: true }),
    night,
    at: new Date(at).toISOString(),
    text: maskWrittenNumbers(shownLine(start + text)).slice(0, LONGEST_TEXT),
    ...more,
  };
  const to = silent ? [] : receiversOf(event, campaign?.settings ?? null, own);
  const campaignId = campaign?.id ?? null;
  await store.addNotice({ id, campaignId, night, event, reason, at, body, to });
}

/** A campaign in numbers, as they stand in a notice. */
export function countsOf(progress: Progress) {
  const { total, done, waiting, calling, dials, results } = progress;
  const { made: calls, ...others } = dials;
  return {
    leads: total,
    done,
    waiting,
    inProgress: calling,
    calls,
    ...others,
    results,
  };
}
