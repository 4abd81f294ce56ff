import { foldWords } from '../../text/fold-words.ts';
import { remembered } from '../../text/remembered.ts';
import { isNoLabelToCall } from './words/number-words.ts';

/** The words by which exports name the label of a number, and those by which they name the number itself. */
const LABEL = /(?:^| )(?:label|type|kind|typ|tipo|art)(?= |$)/;
const VALUE = /(?:^| )(?:value|number|no|nr|nummer|numero)(?= |$)/;

/**
 * Finds the label column of each phone column, which says whose number it is: `Phone 1 - Label` or `Phone 1 - Type` for
 * `Phone 1 - Value`, `primary_phone_type` for `primary_phone`.
 *
 * @param phones indexes of the phone columns
 */
export function phoneLabels(
  headers: readonly string[],
  phones: readonly number[],
): { phone: number; label: number }[] {
  const folded = headers.map(foldWords);
  const bare = (header: string, words: RegExp) => header.replace(words, '').trim();
  const labels = new Map<string, number>();
  for (const [index, header] of folded.entries()) {
    if (LABEL.test(header)) labels.set(bare(header, LABEL), index);
  }
  return phones.flatMap((phone) => {
    const header = folded[phone] ?? '';
    const label = labels.get(header) ?? labels.get(bare(header, VALUE));
    return label === undefined || label === phone ? [] : [{ phone, label }];
  });
}

/** True for the label of a number that is a fax, belongs to somebody else or is out of use. */
export const labelForbids = remembered(
  (cell) => cell.trim() !== '' && isNoLabelToCall(foldWords(cell)),
);
