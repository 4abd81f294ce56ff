import type { E164 } from '../../domain/phone.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';
import type { CalledSince } from '../../store/port.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { AS_IN_RESULTS } from '../typed-phone.ts';
import { historyEntry } from '../world.ts';
import { localTime } from '../../text/local-time.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';

/**
 * Undoes a cancellation, provided that no campaign has called any of its people since.
 *
 * @throws AppError `CANCEL_NOT_UNDONE` (exit 2); nothing was changed then
 */
export async function undoCancel({ store, campaign, world }: OpenCampaign): Promise<void> {
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
 * @throws AppError `CANCEL_NOT_UNDONE`, `LEAD_UNKNOWN` (exit 2); nothing was changed then
 */
export async function undoCancelLead(open: OpenCampaign, phone: E164): Promise<void> {
  const { store, campaign, world } = open;
  const { id, name, settings, state } = campaign;
  const entry = historyEntry(world, 'lead.cancelUndone', { phone });
  const answer = await store.undoCancelLead(id, phone, entry);
  switch (answer.kind) {
    case 'not_found':
      throw leadUnknown(name, phone);
    case 'not_cancelled':
      world.tell(`${phone} was not withdrawn from "${name}": nothing to undo.`);
      return;
    case 'suppressed':
      throw notUndone(
        `${phone} is on the suppression list and stays withdrawn.`,
        `\`callsheet suppress list ${phone}\` says why`,
      );
    case 'called':
      throw notUndone(
        `${phone} was called since (${callOf(answer.since, settings.timezone)}) and stays withdrawn.`,
        `\`callsheet show ${phone}\` shows the call`,
      );
    case 'undone': {
      const next =
        state === 'cancelled'
          ? `\`callsheet cancel ${shellWord(name)} --undo\` takes the campaign's own cancellation back, too`
          : `\`callsheet run ${shellWord(name)}\` calls`;
      world.tell(`${phone} waits in "${name}" (${state}) again; ${next}.`);
    }
  }
}

export function leadUnknown(campaign: string, phone: E164): AppError {
  const message = `No lead of "${campaign}" has the number ${phone}.`;
  return usageError('LEAD_UNKNOWN', message, AS_IN_RESULTS);
}

function callOf({ phone, campaign, at }: CalledSince, timezone: string): string {
  return `${phone} by "${campaign}" at ${localTime(at, timezone)}`;
}

function notUndone(message: string, hint: string): AppError {
  return usageError('CANCEL_NOT_UNDONE', message, hint);
}
