import type { LeadState } from '../../domain/lead.ts';
import type { E164 } from '../../domain/phone.ts';
import { onTheLine } from '../../domain/situation.ts';
import { usageError, type AppError } from '../../runtime/errors.ts';
import type { CalledSince } from '../../store/port.ts';
import { localTime } from '../../text/times.ts';
import { counted, shellWord } from '../../text/wording.ts';
import {
  withCampaign,
  type CampaignRequest,
  type IfVersion,
  type OpenCampaign,
} from '../places/databases.ts';
import { AS_IN_RESULTS, readLeadPhone, requireConfirmed } from '../typed.ts';
import { viewOf } from '../run/situation.ts';
import { historyEntry, type World } from '../world.ts';
import { inProgress } from './start-pause-resume.ts';

/**
 * Undoes a cancellation, provided that no campaign has called any of its people since.
 *
 * @throws AppError `CANCEL_NOT_UNDONE` (exit 2); nothing was changed then
 */
async function undoCancel({ store, campaign, world }: OpenCampaign): Promise<void> {
  const { id, name, state, settings } = campaign;
  const entry = historyEntry(world, 'campaign.cancelUndone', { before: state });
  const answer = await store.undoCancel(id, entry);
  switch (answer.kind) {
    case 'not_cancelled':
      world.tell(`Campaign "${name}" is ${state}, not cancelled: nothing to undo.`);
      return;
    case 'called': {
      const { people, since } = answer;
      const more = people > since.length ? ` and ${counted(people - since.length, 'other')}` : '';
      const who = since.map((one) => callOf(one, settings.timezone)).join(', ');
      const were =
        people === 1 ? '1 person still to be called' : `${people} people still to be called`;
      throw notUndone(
        `${were} in "${name}" ${people === 1 ? 'was' : 'were'} called since it was cancelled: ${who}${more}; nothing was changed.`,
        `\`callsheet cancel ${shellWord(name)} --lead NUMBER\` withdraws each of them; then it can be undone`,
      );
    }
    case 'undone': {
      const { waiting } = await store.progress(id, world.clock.now());
      const wait = counted(waiting, 'lead waits', 'leads wait');
      world.tell(
        `Campaign "${name}" is not cancelled any more. It is paused and calls nobody yet: ${wait}; \`callsheet resume ${shellWord(name)}\`, then \`callsheet run ${shellWord(name)}\`.`,
      );
    }
  }
}

/**
 * Undoes the withdrawal of one person.
 *
 * @returns how they stand now
 * @throws AppError `CANCEL_NOT_UNDONE`, `LEAD_UNKNOWN` (exit 2); nothing was changed then
 */
async function undoCancelLead(open: OpenCampaign, phone: E164): Promise<LeadState> {
  const { store, campaign, world } = open;
  const { id, name, settings, state } = campaign;
  const entry = historyEntry(world, 'lead.cancelUndone', { phone });
  const answer = await store.undoCancelLead(id, phone, entry);
  switch (answer.kind) {
    case 'not_found':
      throw leadUnknown(name, phone);
    case 'not_cancelled':
      world.tell(`${phone} was not withdrawn from "${name}": nothing to undo.`);
      return (await store.findLeads(phone, 1, id))[0]?.state ?? 'done';
    case 'suppressed':
      throw notUndone(
        `${phone} is on the suppression list and stays withdrawn.`,
        `\`callsheet suppress list ${phone}\` says why`,
      );
    case 'called':
      throw notUndone(
        `${phone} was called since (${callOf(answer.since, settings.timezone)}) and stays withdrawn.`,
        `\`callsheet explain ${phone} --calls\` shows the call`,
      );
    case 'undone': {
      if (answer.state !== 'waiting') {
        const { why } = answer;
        const listed =
          why === 'left_list' ? 'they have left the list' : `a list keeps them out: ${why}`;
        world.tell(
          `${phone} is not withdrawn from "${name}" any more${why === null ? '' : `; ${listed}`}.`,
        );
        return answer.state;
      }
      const next =
        state === 'cancelled'
          ? `\`callsheet cancel ${shellWord(name)} --undo\` takes the campaign's own cancellation back, too`
          : `\`callsheet run ${shellWord(name)}\` calls`;
      world.tell(`${phone} waits in "${name}" (${state}) again; ${next}.`);
      return 'waiting';
    }
  }
}

function leadUnknown(campaign: string, phone: E164): AppError {
  const message = `No lead of "${campaign}" has the number ${phone}.`;
  return usageError('LEAD_UNKNOWN', message, AS_IN_RESULTS);
}

function callOf({ phone, campaign, at }: CalledSince, timezone: string): string {
  return `${phone} by "${campaign}" at ${localTime(at, timezone)}`;
}

function notUndone(message: string, hint: string): AppError {
  return usageError('CANCEL_NOT_UNDONE', message, hint);
}

type CancelRequest = CampaignRequest & { undo: boolean };

/** Cancels a campaign, so that nobody else in it is called, or undoes that, whatever its version. */
export function cancelCampaign(
  request: CancelRequest & IfVersion & { yes: boolean },
  world: World,
) {
  return withCampaign(request, world, 'write', async (open) => {
    await (request.undo ? undoCancel(open) : cancelAll(open, request));
    const { store, campaign } = open;
    const { id, name } = campaign;
    const { state } = (await store.findCampaign(name)) ?? campaign;
    const { waiting, held } = await store.progress(id, world.clock.now());
    return { campaign: name, state, waiting, held };
  });
}

/**
 * Withdraws one person from a campaign, or undoes that.
 *
 * @param request.lead the number to call, as typed
 * @returns `outcome` is `calling` when a call is in progress, or may be: it is the last one
 */
export function cancelLead(request: CancelRequest & { lead: string }, world: World) {
  return withCampaign(request, world, 'write', async (open) => {
    const { campaign } = open;
    const phone = readLeadPhone(request.lead, campaign);
    const outcome = await (request.undo ? undoCancelLead : withdraw)(open, phone);
    return { campaign: campaign.name, phone, outcome };
  });
}

async function cancelAll(
  open: OpenCampaign,
  { yes, ifVersion }: IfVersion & { yes: boolean },
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
  const progress = await store.progress(id, world.clock.now());
  const collect = `\`callsheet collect ${shellWord(name)}\` brings the results in.`;
  const inCalls = progress.held === 0 ? '' : `${inProgress(progress)} ${collect}`;
  const leads = counted(waiting, 'waiting lead is', 'waiting leads are');
  world.tell(`Campaign "${name}" is cancelled: ${leads} not called.${inCalls}`);
  world.tell(`${undo}, as long as none of them is called elsewhere.`);
}

async function askToCancel(open: OpenCampaign, waiting: number, yes: boolean): Promise<void> {
  const { campaign, world } = open;
  const { progress, works, situation } = await viewOf(open);
  const { calls } = works;
  const people = counted(waiting, 'person who waits', 'people who wait');
  const runner = calls === null ? '' : ` The runner (${calls}) starts no new call.`;
  const inCalls =
    onTheLine(progress) === 0 ? '' : `${inProgress(progress)} Their results are still collected.`;
  world.tell(
    `Campaign "${campaign.name}" (${situation.shown}): ${people} would not be called by it.${runner}${inCalls}`,
  );
  if (yes) return;
  await requireConfirmed(world, {
    question: 'Type yes to cancel it:',
    needed: `To cancel ${people} needs a yes`,
    undone: 'nothing was cancelled',
    hint: 'run it on a terminal, or give --yes; `callsheet pause` pauses it without ending it',
  });
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
    done_in_doubt: `${phone} is done already; see the results. They are not called again, whatever turns out.`,
  };
  world.tell(sentences[outcome]);
  return outcome;
}
