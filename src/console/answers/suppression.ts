import { ageText } from '../../app/suppression/suppression-age.ts';
import { lastDayOf } from '../../app/suppression/suppression-store.ts';
import type { SuppressionPage as Found } from '../../app/suppression/browse-suppression.ts';
import type { SuppressionPage } from '../contract/suppression.ts';
import { shownTo } from './shown.ts';

/** A page of the suppression list. The cursor is the place of an entry, as a number would tell whom it is about. */
export function suppressionBody(
  { entries, next, files }: Found,
  reader: { transcripts: boolean },
  { now, timezone }: { now: number; timezone: string },
): SuppressionPage {
  const show = shownTo(reader);
  return {
    items: entries.map(({ phone, at, source, note, who, expiresAt }) => ({
      phone: show.phone(phone),
      at,
      source,
      note: note === null ? null : show.text(note),
      who,
      expiresAt,
      lastDay: expiresAt === null ? null : lastDayOf(expiresAt, timezone),
    })),
    next: next === null ? null : String(next),
    files: files.map((file) => {
      const { path, asOf, at, who } = file;
      return { path: show.name(path), asOf, at, who, text: show.name(ageText(file, now)) };
    }),
  };
}
