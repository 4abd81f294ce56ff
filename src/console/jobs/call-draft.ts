import { draftRequest, nameOf } from '../../app/drafts/draft-request.ts';
import { removeDraft } from '../../app/drafts/drafts.ts';
import type { OpenDraft } from '../../app/drafts/draft.ts';
import { withNames } from '../../app/drafts/list-names.ts';
import { importInto } from '../../app/plan/import-into.ts';
import type { StopSignals } from '../../app/run/run-events.ts';
import type { World } from '../../app/world.ts';
import type { StartedDraft } from '../contract/drafts.ts';
import type { Desk } from '../desk.ts';
import { callCampaign } from './call-campaign.ts';

interface DraftOrder {
  draft: OpenDraft;
  /** The id of the campaign that is made of it; see `beginOwn`. */
  campaignId: string;
  /** False: its lists are imported, and nobody is called. */
  start: boolean;
  again: boolean;
  yes: boolean;
  /** Called at once, whatever its schedule. */
  now: boolean;
  /** Calls at most; null: no limit. */
  limit: number | null;
  /** The campaign's name if its import was broken off: its own settings hold. Default: those of the draft do. */
  begun?: string;
  ifVersion?: number | undefined;
}

/**
 * Makes the campaign of a draft and calls it. As soon as the campaign has taken the lists, the draft and its uploads are
 * deleted, and `show` gets the campaign's name.
 */
export function callDraft(
  { draft, campaignId, start, again, yes, now, limit, begun, ifVersion }: DraftOrder,
  desk: Desk,
  world: World,
  stop: StopSignals,
  show: (result: StartedDraft) => void,
): Promise<StartedDraft> {
  const campaign = begun ?? nameOf(draft);
  let removing: Promise<void> | undefined;
  const onCommitted = () => {
    show({ campaign });
    // A list that was deleted has to be sent again.
    if (draft.gone.length > 0) return;
    removing ??= removeDraft(desk.access, draft.id).catch(world.keepStack);
  };
  return withNames(draft.uploads, async () => {
    const whole = await draftRequest(draft, desk.files, world);
    const own = { ...desk.files, list: campaign, lists: whole.lists };
    const request = { ...(begun === undefined ? whole : own), campaignId, ifVersion };
    if (start) {
      const order = { ...request, yes, again, now, limit, onCommitted };
      const end = await callCampaign(order, desk, world, stop);
      return { campaign, ...end };
    }
    const { campaign: made } = await importInto({ ...request, yes, again, sync: false }, world);
    onCommitted();
    return { campaign, state: made.state };
  }).finally(() => removing);
}
