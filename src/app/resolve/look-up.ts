import { isSameNumber } from '../../domain/same-call.ts';
import { MINUTE_MS } from '../../domain/time-units.ts';
import { AppError } from '../../runtime/errors.ts';
import type { CallListing, ListedCall } from '../../service/port.ts';
import type { Doubt } from '../../store/port.ts';
import { localOf, localTime, timesIn } from '../../text/times.ts';
import { asSentence } from '../../text/wording.ts';
import type { LikelyCall } from '../../views/calls.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import { openStored } from '../services/known-services.ts';
import type { World } from '../world.ts';
import { chooseDoubt } from './resolve.ts';

interface LookUpRequest extends CampaignRequest {
  /** The attempt's id, its external id, or the number that was called. */
  attempt: string;
  /** The file that names services. */
  services: string | undefined;
}

/** Clocks differ: by the service's clock, a call may begin before it was asked for. */
const BEFORE_MS = MINUTE_MS;

/**
 * Asks the service what it knows of a call in doubt, and tells it in sentences. Nothing is changed.
 *
 * @throws AppError `NOT_IN_DOUBT`, `PHONE_INVALID`, `LEAD_AMBIGUOUS` (exit 2)
 */
export function lookUpDoubt(request: LookUpRequest, world: World): Promise<LikelyCall[]> {
  return withCampaign(request, world, 'read', async (open) => {
    const { store, campaign } = open;
    const doubt = chooseDoubt(request.attempt, await store.doubts(campaign.id), campaign);
    const listing = await listingAt(doubt, request, open);
    if (listing === null) return [];
    const calls = likelyCalls(doubt, listing.calls, timesIn(campaign.settings.timezone));
    for (const sentence of sentencesOf(doubt, calls, listing.complete, open)) world.tell(sentence);
    return calls;
  });
}

/** The calls around a doubt; null: the service cannot tell, which was told. */
async function listingAt(
  { service: name, intentAt, attemptId }: Doubt,
  { services, db }: LookUpRequest,
  { campaign, store, world }: OpenCampaign,
): Promise<Extract<CallListing, { kind: 'listed' }> | null> {
  const told = (sentence: string) => {
    world.tell(sentence, 'problem');
    return null;
  };
  try {
    const opened = await openStored(name, { services, db }, world, { own: campaign.service });
    try {
      const { callList } = opened.service;
      if (callList?.tellsOfDials !== true) {
        return told(
          `${name} gives callsheet no list of its calls (\`calls:\` in the profile), so only its own pages can tell.`,
        );
      }
      const open = await store.openDoubts(name, intentAt);
      const of = open.filter((each) => each.attemptId === attemptId);
      const listing = await callList.read({ since: intentAt - BEFORE_MS, of });
      if (listing.kind === 'listed') return listing;
      return told(`${name} could not be asked: ${asSentence(listing.detail)}`);
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return told(`${name} could not be asked: ${asSentence(error.message)}`);
  }
}

/** The call with the key of the doubt; where no call has it, those to the same number at that time. */
function likelyCalls(
  { key, phone, intentAt, holdsUntil }: Doubt,
  calls: readonly ListedCall[],
  time: ReturnType<typeof timesIn>,
): LikelyCall[] {
  const own = calls.filter(({ attemptKey }) => attemptKey === key);
  const near = calls.filter(
    (call) =>
      call.attemptKey === null &&
      call.phone !== null &&
      isSameNumber(call.phone, phone) &&
      call.startedAt !== null &&
      call.startedAt >= intentAt - BEFORE_MS &&
      call.startedAt <= holdsUntil,
  );
  const byKey = own.length > 0;
  return (byKey ? own : near).map(({ callId, startedAt }) => {
    return { callId, startedAt: time(startedAt), byKey };
  });
}

function sentencesOf(
  { phone, service, intentAt, holdsUntil }: Doubt,
  calls: readonly LikelyCall[],
  isComplete: boolean,
  { campaign: { settings } }: OpenCampaign,
): string[] {
  const time = (at: number) => localTime(at, settings.timezone);
  const found = calls.map(({ callId, startedAt, byKey }) => {
    const begun = startedAt === null ? '' : `, begun ${localOf(startedAt)} ${settings.timezone}`;
    return byKey
      ? `${service} has it as call ${callId}${begun}: it was made.`
      : `${service} has call ${callId} to ${phone}${begun}; it was asked for ${time(intentAt)}.`;
  });
  if (found.length > 0) return found;
  const none = `${service} lists no call to ${phone} between ${time(intentAt - BEFORE_MS)} and ${time(holdsUntil)}`;
  return [
    isComplete
      ? `${none}.`
      : `${none}, but its list could not be read to the end: the call may exist all the same.`,
  ];
}
