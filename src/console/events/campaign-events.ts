import { listCampaigns, liveCampaign } from '../../app/watch/campaigns.ts';
import { AppError } from '../../runtime/errors.ts';
import type { EndedCall as Ended, TailCursor } from '../../store/port.ts';
import { campaignBody, heldCalls } from '../answers/campaign.ts';
import { shownTo } from '../answers/shown.ts';
import type { EndedCall } from '../contract/campaigns.ts';
import type { CallRates } from './call-rate.ts';
import type { ConsoleEvent, EventSources } from './events.ts';

/** Reads what has changed since the last reading; an empty list: nothing. */
export type CampaignWatch = () => Promise<ConsoleEvent[]>;

type Sources = EventSources & { rates: CallRates };

/** Read once for everybody: what somebody may not see is masked on its way to them. */
const WHOLE = shownTo({ transcripts: true });

/** So many of the calls that have ended are shown to whoever comes. */
export const LATELY_ENDED = 20;

/** @param name a campaign; null: all of them in short */
export function campaignEvents(name: string | null, sources: Sources): CampaignWatch {
  return name === null ? watchAll(sources) : watchOne(name, sources);
}

function watchAll({ world, files, rates }: Sources): CampaignWatch {
  const isNew = changed();
  return async () => {
    const { campaigns } = await listCampaigns({ db: files.db, archived: false }, world);
    const data = campaigns.map((view) =>
      campaignBody(view, rates.look(view.campaign.name, view.progress.dials), WHOLE),
    );
    return isNew(data) ? [{ event: 'campaigns', data }] : [];
  };
}

function watchOne(campaign: string, { world, files, rates }: Sources): CampaignWatch {
  const isNew = changed();
  let cursor: TailCursor | null = null;
  return async () => {
    try {
      const live = await liveCampaign(
        { campaign, db: files.db, after: cursor, newest: LATELY_ENDED },
        world,
      );
      ({ cursor } = live);
      const { ended, held, now, progress } = live;
      const body = campaignBody(live, rates.look(campaign, progress.dials), WHOLE);
      const data = { ...body, calls: heldCalls(held, WHOLE) };
      return [
        ...(ended.length > 0 ? [{ event: 'calls', data: ended.map(endedCall) } as const] : []),
        ...(isNew(data) ? [{ event: 'counters', data: { ...data, at: now } } as const] : []),
      ];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CAMPAIGN_UNKNOWN') throw error;
      const data = { why: error.message };
      return isNew(data) ? [{ event: 'gone', data }] : [];
    }
  };
}

function endedCall({ durationMs, ...call }: Ended): EndedCall {
  return { ...call, durationSeconds: durationMs === null ? null : durationMs / 1_000 };
}

/** Tells whether a value differs from the one before. */
function changed(): (value: unknown) => boolean {
  let last = '';
  return (value) => {
    const text = JSON.stringify(value);
    if (text === last) return false;
    last = text;
    return true;
  };
}
