import { campaignStatus, listCampaigns } from '../../app/watch/campaigns.ts';
import { endedCalls } from '../../app/watch/ended-calls.ts';
import { AppError } from '../../runtime/errors.ts';
import type { ExportRow, TailCursor } from '../../store/port.ts';
import { campaignBody, heldCalls } from '../answers/campaign.ts';
import type { EndedCall } from '../contract/campaigns.ts';
import type { CallRates } from './call-rate.ts';
import type { ConsoleEvent, EventSources } from './events.ts';

/** Reads what has changed since the last reading; an empty list: nothing. */
export type CampaignWatch = () => Promise<ConsoleEvent[]>;

type Sources = EventSources & { rates: CallRates };

/** @param name a campaign; null: all of them in short */
export function campaignEvents(name: string | null, sources: Sources): CampaignWatch {
  return name === null ? watchAll(sources) : watchOne(name, sources);
}

function watchAll({ world, files, rates }: Sources): CampaignWatch {
  const isNew = changed();
  return async () => {
    const { campaigns } = await listCampaigns({ db: files.db, archived: false }, world);
    const data = campaigns.map((view) =>
      campaignBody(view, rates.look(view.campaign.name, view.progress.dials)),
    );
    return isNew(data) ? [{ event: 'campaigns', data }] : [];
  };
}

function watchOne(campaign: string, { world, files, rates }: Sources): CampaignWatch {
  const isNew = changed();
  let cursor: TailCursor | null = null;
  return async () => {
    const request = { campaign, db: files.db };
    try {
      const status = await campaignStatus(request, world);
      const ended = await endedCalls({ ...request, after: cursor, newest: 0 }, world);
      ({ cursor } = ended);
      const body = campaignBody(status, rates.look(campaign, status.progress.dials));
      const data = { ...body, calls: heldCalls(status.held, (phone) => phone) };
      return [
        ...(ended.calls.length > 0
          ? [{ event: 'calls', data: ended.calls.map(endedCall) } as const]
          : []),
        ...(isNew(data) ? [{ event: 'counters', data: { ...data, at: status.now } } as const] : []),
      ];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CAMPAIGN_UNKNOWN') throw error;
      const data = { why: error.message };
      return isNew(data) ? [{ event: 'gone', data }] : [];
    }
  };
}

function endedCall({ phone, cursor, result, analytics, attempt }: ExportRow): EndedCall {
  return {
    phone,
    line: cursor.line,
    result: attempt?.result ?? result,
    sentiment: analytics?.sentiment?.label ?? null,
    durationSeconds: analytics?.durationMs == null ? null : analytics.durationMs / 1_000,
    endedAt: attempt?.endedAt ?? attempt?.settledAt ?? null,
  };
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
