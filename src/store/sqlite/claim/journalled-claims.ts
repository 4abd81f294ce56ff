import type { Claim, ClaimRequest, Intent } from '../../port.ts';
import type { Ballast } from '../file/ballast.ts';
import type { CommittedClaim } from './claim.ts';
import type { FilesInPlace } from '../file/files-in-place.ts';
import type { DialJournal } from './journal.ts';

export interface JournalledClaimsOptions {
  ballast: Ballast;
  /** Undefined for a store that was not opened to dial. */
  journal: DialJournal | undefined;
  place: FilesInPlace | undefined;
  /** Commits the intents. */
  commit: (request: ClaimRequest) => Promise<CommittedClaim>;
  /** Gives intents back that were not journalled. */
  takeBack: (intents: readonly Intent[], at: number, detail: string) => Promise<void>;
  /** Brings what is committed from the log into the database's own file. */
  checkpoint: () => Promise<unknown>;
}

/** Claims whose intents are in the database and in the dial journal by the time they are told. */
export function journalledClaims(options: JournalledClaimsOptions) {
  const { ballast, journal, place, commit, takeBack, checkpoint } = options;
  const open = new Set<Promise<Claim>>();
  /** Campaigns that are in the database's own file, and not only in its log. */
  const brought = new Set<string>();

  async function claim(request: ClaimRequest): Promise<Claim> {
    if (journal === undefined) throw new Error('only a store opened to dial can claim');
    place?.assertDatabase();
    if (!ballast.hasRoom()) return { intents: [], shortfall: 'disk_full', askAgainAt: null };
    // Should the log be damaged later, what the journal tells of has its campaign in the file.
    if (!brought.has(request.campaignId)) await checkpoint();
    brought.add(request.campaignId);
    const { journal: lines, ...answer } = await commit(request);
    try {
      await journal.append(lines);
    } catch (error) {
      const detail = 'the dial journal could not be written, so nothing was sent';
      // Where not even this can be written they stay intents, which nobody repeats.
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
    /** Resolves once none is under way. */
    async settled(): Promise<void> {
      await Promise.allSettled(open);
    },
  };
}
