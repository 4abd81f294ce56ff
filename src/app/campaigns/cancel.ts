import type { E164 } from '../../domain/phone.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { requireConfirmed } from '../require-confirmed.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import { whoWorks } from '../run/who-works.ts';
import { readLeadPhone } from '../typed-phone.ts';
import { historyEntry, type World } from '../world.ts';
import { leadUnknown, undoCancel, undoCancelLead } from './cancel-undo.ts';
import { inProgress } from './pause.ts';

type CancelRequest = CampaignRequest & { undo: boolean };

/**
 * Cancels a campaign, so that nobody else in it is called, or undoes that.
 *
 * @param request.ifVersion the version that was looked at; default: whichever it is; not asked when undoing
 * @throws AppError `CAMPAIGN_UNKNOWN`, `CAMPAIGN_CHANGED`, `NOT_CONFIRMED`, `CANCEL_NOT_UNDONE` (exit 2)
 */
export function cancelCampaign(
  request: CancelRequest & { yes: boolean; ifVersion?: number | undefined },
  world: World,
) {
  return withCampaign(request, world, 'write', async (open) => {
    await (request.undo ? undoCancel(open) : cancelAll(open, request));
    const { store, campaign } = open;
    const { id, name } = campaign;
    const state = (await store.findCampaign(name))?.state;
    const { waiting, held } = await store.progress(id, world.clock.now());
    return { campaign: name, state, waiting, held };
  });
}

/**
 * Withdraws one person from a campaign, or undoes that.
 *
 * @param request.lead the number to call, as typed
 * @returns `outcome` is `calling` when a call is in progress, or may be: it is the last one
 * @throws AppError `CAMPAIGN_UNKNOWN`, `PHONE_INVALID`, `LEAD_UNKNOWN`, `CANCEL_NOT_UNDONE` (exit 2)
 */
export function cancelLead(request: CancelRequest & { lead: string }, world: World) {
  return withCampaign(request, world, 'write', async (open) => {
    const { campaign } = open;
    const phone = readLeadPhone(request.lead, campaign);
    if (request.undo) await undoCancelLead(open, phone);
    const outcome = request.undo ? 'waiting' : await withdraw(open, phone);
    return { campaign: campaign.name, phone, outcome };
  });
}

async function cancelAll(
  open: OpenCampaign,
  { yes, ifVersion }: { yes: boolean; ifVersion?: number | undefined },
): Promise<void> {
  const { store, campaign, world } = open;
  const { id, name, state } = campaign;
  const undo = `\`callsheet cancel ${shellWord(name)} --undo\` takes it back`;
  if (state === 'cancelled') {
    world.tell(`Campaign "${name}" is cancelled already; ${undo}.`);
    return;
  }
  const { waiting } = await store.progress(id, world.clock.now());
  if (waiting > 0 && (await isLive(open))) await askToCancel(open, waiting, yes);
  const entry = historyEntry(world, 'campaign.cancelled', { before: state, waiting });
  await store.changeCampaign(id, { state: 'cancelled', ifVersion }, entry);
  const { held } = await store.progress(id, world.clock.now());
  const collect = `\`callsheet collect ${shellWord(name)}\` brings the results in.`;
  const inCalls = held === 0 ? '' : `${inProgress(held)} ${collect}`;
  const leads = counted(waiting, 'waiting lead is', 'waiting leads are');
  world.tell(`Campaign "${name}" is cancelled: ${leads} not called.${inCalls}`);
  world.tell(`${undo}, as long as none of them is called elsewhere.`);
}

/** @throws AppError `NOT_CONFIRMED` (exit 2) */
async function askToCancel(open: OpenCampaign, waiting: number, yes: boolean): Promise<void> {
  const { store, campaign, world } = open;
  const { id, name, state } = campaign;
  const { held } = await store.progress(id, world.clock.now());
  const { calls } = whoWorks(await store.runners(id), world);
  const people = counted(waiting, 'person who waits', 'people who wait');
  const runner = calls === null ? '' : ` The runner (${calls}) starts no new call.`;
  const inCalls = held === 0 ? '' : `${inProgress(held)} Their results are still collected.`;
  world.tell(
    `Campaign "${name}" (${state}): ${people} would not be called by it.${runner}${inCalls}`,
  );
  if (yes) return;
  await requireConfirmed(
    {
      question: 'Type yes to cancel it:',
      needed: `To cancel ${people} needs a yes`,
      undone: 'nothing was cancelled',
      hint: 'run it on a terminal, or give --yes; `callsheet pause` pauses it without ending it',
    },
    world,
  );
}

/** True if the newest history entry with `live` says so; without such an entry, unless the campaign is simulated. */
async function isLive({ store, campaign }: OpenCampaign): Promise<boolean> {
  const said = (await store.history(campaign.id)).findLast(({ detail }) => 'live' in detail);
  return said === undefined ? !campaign.simulated : said.detail['live'] === true;
}

async function withdraw({ store, campaign: { id, name }, world }: OpenCampaign, phone: E164) {
  const outcome = await store.cancelLead(
    id,
    phone,
    historyEntry(world, 'lead.cancelled', { phone }),
  );
  if (outcome === 'not_found') throw leadUnknown(name, phone);
  const sentences = {
    cancelled: `${phone} is withdrawn from "${name}".`,
    calling: `${phone} is being called now; the service has no way to hang up. They are not called again.`,
    done: `${phone} is done already; see the results.`,
  };
  world.tell(sentences[outcome]);
  return outcome;
}
