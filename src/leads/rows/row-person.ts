import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import { personIn } from '../../domain/lists/person.ts';
import type { PersonKey } from '../../domain/lists/same-person.ts';
import { foldWords, oneForm } from '../../text/fold-words.ts';

/** What lists have in place of an id or an address that they do not know. */
const NOTHING =
  /^(?:[0\W_]*|-1|9{4,}|n ?\/? ?a|#n\/a|nan|none|no|yes|true|false|null|nil|void|undefined|unknown|unbekannt|keine?|k\. ?a\.|ninguno|aucun|nessuno|brak|tbd|tba|test|dummy|example|sample|x+)$/iu;

/**
 * Mailboxes of a business or a function (RFC 2142, and the usual ones of web sites), never of one person.
 * https://www.rfc-editor.org/rfc/rfc2142
 */
const ROLES = new Set(
  `info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp
   admin administrator office contact contacts kontakt contacto contatto hello hi mail email post team service
   services help helpdesk billing accounts accounting invoice invoices rechnung hr jobs careers press reception
   enquiries inquiries orders order bestellung shop store buero büro praxis kanzlei verwaltung sekretariat secretary
   noreply no-reply donotreply do-not-reply nomail noemail no-email customer customers kunde client clients`.split(
    /\s+/,
  ),
);

/** Returns what finds who a row is about, by the columns of the id, the e-mail address and the name. */
export function rowPersons(
  mapping: Pick<ListMapping, 'fields'>,
): (cells: readonly string[]) => PersonKey | undefined {
  const { externalId, email } = mapping.fields;
  if (externalId === undefined && email === undefined) return () => undefined;
  return (cells) => {
    const person = personIn(mapping, cells);
    const key = idKey(person.externalId ?? '') ?? mailKey(person.email ?? '');
    if (key === undefined) return undefined;
    const words = foldWords(person.fullName ?? '').split(/[^\p{L}\p{M}\p{N}]+/u);
    // One letter is an initial, which many have.
    return { key, name: words.filter((word) => word.length > 1).join(' ') };
  };
}

function idKey(cell: string): string | undefined {
  // Spreadsheets make 7.0 of an id 7.
  const id = oneForm(cell).replace(/^(\d+)\.0+$/, '$1');
  return NOTHING.test(id) ? undefined : `id ${id.toLowerCase()}`;
}

/** Longer than any address (254 characters, RFC 5321) with the name of its owner. */
const LONGEST_MAIL = 1_000;

function mailKey(cell: string): string | undefined {
  if (cell.length > LONGEST_MAIL) return undefined;
  const found = /(?<![^\s<>@;,:"])([^\s<>@;,:"]+)@([^\s<>@;,:"]+\.[^\s<>@;,:"]+)/.exec(
    oneForm(cell).toLowerCase(),
  );
  const [address, local = '', domain = ''] = found ?? [];
  if (address === undefined || NOTHING.test(local) || ROLES.has(local)) return undefined;
  return /^(?:none|test|example|na|no|email|invalid)\./.test(domain)
    ? undefined
    : `mail ${address}`;
}
