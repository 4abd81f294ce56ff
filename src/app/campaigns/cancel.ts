import type { E164 } from '../../domain/phone.ts';
import { requireCountry } from '../../leads/phone/countries.ts';
import { parsePhone } from '../../leads/phone/parse-phone.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { grouped } from '../../text/amounts.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { requireConfirmed } from '../require-confirmed.ts';
import { withCampaign, type CampaignRequest } from '../places/databases.ts';
import { whoWorks } from '../run/who-works.ts';
import type { World } from '../world.ts';
import { leadUnknown, undoCancel, undoCancelLead } from './cancel-undo.ts';
import { inProgress } from './pause.ts';

type CancelRequest = CampaignRequest & { undo: boolean };

/**
 * Calls nobody of a campaign any more, or takes that back.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN`, `NOT_CONFIRMED`, `CANCEL_NOT_UNDONE` (exit 2)
 */
export function cancelCampaign(
  { undo, yes, ...request }: CancelRequest & { yes: boolean },
  world: World,
) {
  return withCampaign(request.campaign, request, world, 'write', async (store, campaign) => {
    if (undo) await undoCancel(store, campaign, world);
    else await cancelAll(store, campaign, yes, world);
    const { id, name } = campaign;
    const state = (await store.findCampaign(name))?.state;
    const { waiting, held } = await store.progress(id, world.clock.now());
    return { campaign: name, state, waiting, held };
  });
}

/**
 * Withdraws one person from a campaign, or takes that back.
 *
 * @param request.lead the number to call, as a person writes it
 * @returns `calling` where it is too late
 * @throws AppError `CAMPAIGN_UNKNOWN`, `PHONE_INVALID`, `LEAD_UNKNOWN`, `CANCEL_NOT_UNDONE` (exit 2)
 */
export function cancelLead(
  { lead, undo, ...request }: CancelRequest & { lead: string },
  world: World,
) {
  return withCampaign(request.campaign, request, world, 'write', async (store, campaign) => {
    const phone = readPhone(lead, campaign);
    if (undo) await undoCancelLead(store, campaign, phone, world);
    const outcome = undo ? 'waiting' : await withdraw(store, campaign, phone, world);
    return { campaign: campaign.name, phone, outcome };
  });
}

async function cancelAll(
  store: Store,
  campaign: Campaign,
  yes: boolean,
  world: World,
): Promise<void> {
  const { id, name, state } = campaign;
  const undo = `\`callsheet cancel ${shellWord(name)} --undo\` takes it back`;
  if (state === 'cancelled') {
    world.tell(`Campaign "${name}" is cancelled already; ${undo}.`);
    return;
  }
  const { waiting } = await store.progress(id, world.clock.now());
  if (waiting > 0 && (await isLive(store, campaign)))
    await askToCancel(store, campaign, waiting, yes, world);
  const detail = { before: state, waiting };
  const entry = { at: world.clock.now(), who: world.user, what: 'campaign.cancelled', detail };
  await store.changeCampaign(id, { state: 'cancelled' }, entry);
  const { held } = await store.progress(id, world.clock.now());
  const collect = `\`callsheet collect ${shellWord(name)}\` brings the results in.`;
  const open = held === 0 ? '' : `${inProgress(held)} ${collect}`;
  const are = waiting === 1 ? 'is' : 'are';
  world.tell(
    `Campaign "${name}" is cancelled: ${counted(waiting, 'waiting lead')} ${are} not called.${open}`,
  );
  world.tell(`${undo}, as long as nobody of them is called elsewhere.`);
}

/** @throws AppError `NOT_CONFIRMED` (exit 2) */
async function askToCancel(
  store: Store,
  { id, name, state }: Campaign,
  waiting: number,
  yes: boolean,
  world: World,
): Promise<void> {
  const { held } = await store.progress(id, world.clock.now());
  const { calls } = whoWorks(await store.runners(id), world);
  const people = waiting === 1 ? '1 person who waits' : `${grouped(waiting)} people who wait`;
  const runner = calls === null ? '' : ` The runner (${calls}) starts no new call.`;
  const open = held === 0 ? '' : `${inProgress(held)} Their results are still collected.`;
  world.tell(`Campaign "${name}" (${state}): ${people} would not be called by it.${runner}${open}`);
  if (yes) return;
  await requireConfirmed(
    {
      question: 'Type yes to cancel it:',
      needed: `To cancel ${people} needs a yes`,
      undone: 'nothing was cancelled',
      hint: 'run it on a terminal, or give --yes; `callsheet pause` holds it without an end',
    },
    world,
  );
}

/** By what its history says of the service; where that is silent, people may be real. */
async function isLive(store: Store, { id, simulated }: Campaign): Promise<boolean> {
  const said = (await store.history(id)).findLast(({ detail }) => 'live' in detail);
  return said === undefined ? !simulated : said.detail['live'] === true;
}

async function withdraw(store: Store, { id, name }: Campaign, phone: E164, world: World) {
  const entry = {
    at: world.clock.now(),
    who: world.user,
    what: 'lead.cancelled',
    detail: { phone },
  };
  const outcome = await store.cancelLead(id, phone, entry);
  if (outcome === 'not_found') throw leadUnknown(name, phone);
  const sentences = {
    cancelled: `${phone} is withdrawn from "${name}".`,
    calling: `${phone} is being called now; the service has no way to hang up.`,
    done: `${phone} is done already; see the results.`,
  };
  world.tell(sentences[outcome]);
  return outcome;
}

function readPhone(text: string, { settings }: Campaign): E164 {
  const home = settings.country === null ? null : requireCountry(settings.country);
  const parsed = parsePhone(text, home);
  if (parsed.ok) return parsed.phone;
  throw usageError(
    'PHONE_INVALID',
    `--lead ${parsed.refusal.text}.`,
    'give the number as in the column call_phone of the results',
  );
}
