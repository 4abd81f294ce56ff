import { invalidFlag } from '../../config/hints.ts';
import { LEAD_RESULTS, type LeadResult } from '../../domain/lead.ts';
import { nearest } from '../../text/nearest.ts';

/**
 * Reads the results that somebody chose.
 *
 * @param flag what the person calls the choice, e.g. `--only`
 * @throws AppError `FLAG_INVALID` (exit 2), with the word that was probably meant
 */
export function readResults(flag: string, words: readonly string[]): LeadResult[] {
  return words.map((word) => {
    const result = LEAD_RESULTS.find((known) => known === word);
    if (result !== undefined) return result;
    const near = nearest(word, LEAD_RESULTS);
    const meant =
      near === undefined ? `there are ${LEAD_RESULTS.join(', ')}.` : `did you mean "${near}"?`;
    throw invalidFlag(`${flag} "${word}" is not a result; ${meant}`);
  });
}
