import type { Claim, ClaimRequest, Intent } from '../../port.ts';
import type { Ballast } from '../file/ballast.ts';
import type { CommittedClaim } from '../claim/intents.ts';
import type { FilesInPlace } from '../file/files-in-place.ts';
import type { DialJournal } from './journal.ts';

/** Claims whose intents are in the database and in the dial journal before the caller learns of them. */
export function journalledClaims(options: {
  ballast: Ballast;
  /** Undefined for a store that was not opened to dial. */
  journal: Pick<DialJournal, 'append'> | undefined;
  place: FilesInPlace | undefined;
  commit: (request: ClaimRequest) => Promise<CommittedClaim>;
  /** Releases intents that were not journalled. */
  takeBack: (intents: readonly Intent[], at: number, detail: string) => Promise<void>;
  /** Copies what is committed from the write-ahead log into the database file. */
  checkpoint: () => Promise<unknown>;
}) {
  const { ballast, journal, place, commit, takeBack, checkpoint } = options;
  const open = new Set<Promise<Claim>>();
  /** Campaigns that are in the database file itself, and not only in the write-ahead log. */
  const checkpointed = new Set<string>();

  async function claim(request: ClaimRequest): Promise<Claim> {
    if (journal === undefined) throw new Error('only a store opened to dial can claim');
    place?.assertDatabase();
    if (!ballast.hasRoom())
      return { intents: [], shortfall: 'disk_full', askAgainAt: null, settings: null };
    // The journal names the campaign, so the database file must have it even if the write-ahead log is damaged later.
    if (!checkpointed.has(request.campaignId)) await checkpoint();
    checkpointed.add(request.campaignId);
    const { journal: lines, ...answer } = await commit(request);
    try {
      await journal.append(lines);
    } catch (error) {
      const detail = 'the dial journal could not be written, so nothing was sent';
      // If the release cannot be written either, the attempts stay intents, and nobody dials them again.
      await takeBack(answer.intents, request.now, detail).catch(() => undefined);
      throw error;
    }
    return answer;
  }

  return {
    async claim(request: ClaimRequest): Promise<Claim> {
      const claiming = claim(request);
      open.add(claiming);
      try {
        return await claiming;
      } finally {
        open.delete(claiming);
      }
    },
    /** Resolves once no claim is in progress. */
    async settled(): Promise<void> {
      await Promise.allSettled(open);
    },
  };
}
