import type { Resolution, ResolutionRefusal } from '../../domain/resolution.ts';
import type { Campaign, HeldSlot } from '../../store/port.ts';
import { localTime } from '../../text/local-time.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';

/** Why a doubt cannot be settled as asked, and what can be done. */
export function refusalText(
  refusal: ResolutionRefusal,
  as: Resolution,
  { settings }: Campaign,
): string {
  switch (refusal.why) {
    case 'not_in_doubt':
      return `the attempt is ${refusal.state}, which is not in doubt`;
    case 'too_early':
      return `the call may still be on the line; --as not-placed is possible from ${localTime(refusal.until, settings.timezone)}`;
    case 'accepted':
      return 'the service answered the dial with a 2xx, so it took the call; settle it with --as placed --call-id ID, or --as unconfirmed';
    case 'called_again':
      return as === 'unconfirmed'
        ? 'the person was called again since, which cannot be taken back'
        : 'the person was called again since';
    case 'person_done':
      return `the person is done already (${refusal.result})`;
    case 'call_taken':
      return `this call id belongs to attempt ${refusal.attemptId} already`;
  }
}

/** That calls in doubt hold slots, until when, and what to do. @param doubts at least one */
export function heldInDoubt(doubts: readonly HeldSlot[], campaign: Campaign): string {
  const untils = doubts.map(({ holdsUntil }) => holdsUntil);
  const { concurrency, timezone } = campaign.settings;
  const first = localTime(Math.min(...untils), timezone);
  const last = localTime(Math.max(...untils), timezone);
  const slots = doubts.length === 1 ? 'a slot' : 'their slots';
  const until = first === last ? `until ${first}` : `the first until ${first}, the last ${last}`;
  const list = `\`callsheet resolve ${shellWord(campaign.name)}\``;
  if (doubts.length >= concurrency) {
    return `All ${concurrency} slots are held by calls in doubt, which may still be on the line, ${until}; ${list} lists them, and a higher --concurrency goes on at once.`;
  }
  const hold = doubts.length === 1 ? 'holds' : 'hold';
  return `${counted(doubts.length, 'call')} in doubt ${hold} ${slots}, ${until}; ${list} shows what to do.`;
}
