import type { E164 } from '../../domain/phone.ts';
import type { PhoneFacts } from '../../store/port.ts';
import type { ListRow } from './list-row.ts';
import { alreadyInCampaign, suppressed } from './row-refusal.ts';

/**
 * Marks rows as duplicate or suppressed by what the store knows of their numbers, without writing: what `addRows` will
 * answer when the list is imported.
 *
 * @param facts of the good rows, in their order
 */
export function markKnown(
  rows: ListRow[],
  facts: readonly PhoneFacts[],
  sha256: string,
): ListRow[] {
  let next = 0;
  return rows.map((row) => {
    const fact = row.kind === 'good' ? facts[next++] : undefined;
    if (row.kind !== 'good' || fact === undefined) return row;
    const { line, cells, notes, phone } = row;
    const { known } = fact;
    // A lead that an earlier import of this list has added is not a duplicate.
    if (known !== null && known.sha256 !== sha256) {
      const refusal = alreadyInCampaign(phone, known.line, known.list);
      return { kind: 'duplicate', line, cells, notes, refusal };
    }
    if (known === null && fact.suppressed !== null) {
      const refusal = suppressed(phone, fact.suppressed);
      return { kind: 'suppressed', line, cells, notes, phones: [phone], refusal };
    }
    if (fact.elsewhere !== null) notes.push(elsewhereNote(line, phone, fact.elsewhere));
    return row;
  });
}

function elsewhereNote(
  line: number,
  phone: E164,
  { campaign, ...at }: NonNullable<PhoneFacts['elsewhere']>,
) {
  const where = `campaign "${campaign}" (line ${at.line} of ${at.list})`;
  return { code: 'other_campaign', text: `line ${line}: ${phone} is in ${where}, too` } as const;
}
