import { readThrough } from './sheets.ts';
import { unescaped } from './cell-value.ts';
import { WorkbookFault } from './fault.ts';
import { MOST_SHEET_BYTES, type Part } from './parts.ts';
import { joined, type XmlHandler } from './xml.ts';

/** Bounded, as the shared texts are the only part held in memory as a whole; a million rows have about 5 million. */
const MOST = { texts: 10_000_000, letters: 200_000_000 };

/**
 * The shared texts of a workbook, by index: the runs of each text joined, without its phonetic guide (`rPh`).
 *
 * @throws WorkbookFault where there are too many texts or characters
 */
export async function sharedTexts(part: Part | undefined, most = MOST): Promise<string[]> {
  const texts: string[] = [];
  if (part === undefined) return texts;
  let text = '';
  let letters = 0;
  let isRun = false;
  const handler: XmlHandler = {
    open: (name, parent) => {
      if (name === 'si') text = '';
      isRun = name === 't' && (parent === 'si' || parent === 'r');
    },
    text: (piece, parent) => {
      if (parent === 't' && isRun) text = joined(text, piece);
    },
    close: (name) => {
      if (name !== 'si') return;
      letters += text.length;
      if (texts.length === most.texts || letters > most.letters) {
        const what = `it has more than ${most.texts} texts or ${most.letters} letters of text`;
        throw new WorkbookFault(`is too large: ${what}`, 'save the sheet as "CSV UTF-8"');
      }
      // The text is copied, as V8 keeps the whole chunk in memory as long as a substring of the chunk is used.
      texts.push(Buffer.from(unescaped(text)).toString());
    },
  };
  await readThrough(part, handler, MOST_SHEET_BYTES);
  return texts;
}
