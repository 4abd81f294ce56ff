import type { E164 } from '../../../domain/phone.ts';
import { requireCountry } from '../../../leads/phone/countries.ts';
import { everyNumber } from '../../../leads/phone/every-number.ts';
import { parsePhone } from '../../../leads/phone/parse-phone.ts';
import { withIso } from '../../../text/iso-times.ts';
import { EXIT } from '../../../runtime/errors.ts';
import type { NewSuppression, Store } from '../../../store/port.ts';
import { defineCommand } from '../../args/command.ts';
import { invalidPhone } from '../../../app/repair/invalid-phone.ts';
import { lastDayOf, through, withSuppression } from '../../../app/repair/suppress.ts';
import { localTime } from '../../../text/local-time.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, printTable, say } from '../../terminal/output.ts';
import { counted } from '../../../text/plural.ts';
import { ageText } from '../../../app/plan/suppression-age.ts';
import { suppressedUntil, suppressOptions } from '../../args/suppress-options.ts';

export const add = defineCommand({
  arguments: { number: { describe: 'the number, with + and country code', required: true } },
  options: suppressOptions,
  examples: [
    ["suppress add +12125550123 --note 'asked by mail'", 'for good'],
    ['suppress add +12125550123 --until 2026-07-01', 'through the end of that day'],
  ],
  notes: `It holds for all campaigns of the database from this moment on, also for those that are running: leads that
wait end as suppressed. A call that is on the line already ends by itself. Of a number that can be read in two ways,
with its country code in front or without, both are suppressed, and so are all of several numbers.`,
  tooMany:
    'give one number; several go in by a file: `callsheet suppress import FILE`, and options are in `callsheet suppress add --help`',
  run: async (args, io) => {
    const expiresAt = await suppressedUntil(args, io);
    return withSuppression('write', args, io, async (store) => {
      const phones = readAll(args.number, args.country);
      const [phone, ...others] = phones;
      const at = io.clock.now();
      const from =
        others.length === 0 ? '' : `one of ${phones.length} that "${args.number}" may be`;
      const note = [args.note ?? '', from].filter((text) => text !== '').join('; ') || null;
      const entry = { at, source: 'operator', note, who: io.user, expiresAt } as const;
      const entries = phones.map((one) => ({ ...entry, phone: one }));
      const { added, leads } = await store.suppress(entries);
      if (args.json)
        printJson(io, { phone, phones, added: added > 0, leads, until: isoOf(expiresAt) });
      const ended = leads === 0 ? '' : ` ${counted(leads, 'waiting lead')} ended by it.`;
      const what = others.length === 0 ? 'it' : 'any of them';
      const are = others.length === 0 ? ['is', 'was'] : ['are', 'were'];
      // What holds already lasts as long or longer.
      const news =
        added > 0
          ? `${are[0]} suppressed${through(expiresAt, io)}`
          : `${are[1]} suppressed already`;
      const then = added > 0 && expiresAt !== null ? ' until then' : '';
      say(io, `${phones.join(' and ')} ${news}; nobody calls ${what}${then}.${ended}`);
      return EXIT.ok;
    });
  },
});

export const remove = defineCommand({
  arguments: { number: { describe: 'the number, with + and country code', required: true } },
  options: {
    country: suppressOptions.country,
    note: suppressOptions.note,
    ...databaseOptions,
    ...jsonOption,
  },
  examples: [
    ["suppress remove +12125550123 --note 'gave consent again'", 'it may be called again'],
  ],
  notes: `Leads that ended as suppressed stay so; import the person into a new campaign to call them.`,
  run: (args, io) =>
    withSuppression('write', args, io, async (store) => {
      const phone = readPhone(args.number, args.country);
      const note = args.note ?? null;
      const lifted = await store.unsuppress({ phone, at: io.clock.now(), who: io.user, note });
      if (args.json) printJson(io, { phone, lifted });
      say(io, lifted ? `${phone} may be called again.` : `${phone} was not suppressed.`);
      return EXIT.ok;
    }),
});

export const list = defineCommand({
  arguments: { number: { describe: 'only this number' } },
  options: { country: suppressOptions.country, ...databaseOptions, ...jsonOption },
  examples: [
    ['suppress list', 'all of them'],
    ['suppress list +12125550123', 'is this one on it, and why'],
  ],
  run: (args, io) =>
    withSuppression('read', args, io, async (store) => {
      const only = args.number === undefined ? null : readPhone(args.number, args.country);
      const entries = await entriesOf(store, io.clock.now(), only);
      if (args.json)
        printJson(
          io,
          entries.map((entry) => withIso(entry, ['at', 'expiresAt'], io.timezone)),
        );
      else if (entries.length > 0)
        printTable(
          io,
          HEADERS,
          entries.map((entry) => toRow(entry, io.timezone)),
        );
      if (!args.json && only === null) {
        for (const file of await store.suppressionFiles())
          say(io, `A file ${ageText(file, io.clock.now())}.`);
      }
      if (entries.length === 0 && !args.json) {
        say(io, only === null ? 'No number is suppressed.' : `${only} is not suppressed.`);
      }
      return EXIT.ok;
    }),
});

const HEADERS = ['number', 'since', 'until', 'by', 'note'];

function toRow({ phone, at, expiresAt, source, who, note }: NewSuppression, timezone: string) {
  const by = source === 'operator' || source === 'file' ? `${source} (${who})` : source;
  const since = localTime(at, timezone).slice(0, 10);
  return [phone, since, expiresAt === null ? null : lastDayOf(expiresAt, timezone), by, note];
}

function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

const ENTRIES_AT_ONCE = 1_000;

async function entriesOf(store: Store, now: number, only: E164 | null): Promise<NewSuppression[]> {
  // The number right before the one that is meant: the page begins with it.
  let after = only === null ? null : (only.slice(0, -1) as E164);
  const entries: NewSuppression[] = [];
  for (;;) {
    const page = await store.suppressions({ now, after, limit: ENTRIES_AT_ONCE });
    if (only !== null) return page.filter(({ phone }) => phone === only);
    entries.push(...page);
    const last = page.at(-1);
    if (last === undefined) return entries;
    after = last.phone;
  }
}

/** All numbers that the text may mean: who must not be called is not called by a misreading. */
function readAll(text: string, country: string | undefined): [E164, ...E164[]] {
  const home = country === undefined ? null : requireCountry(country);
  const [first, ...others] = everyNumber(text, home);
  return first === undefined ? [readPhone(text, country)] : [first, ...others];
}

function readPhone(text: string, country: string | undefined): E164 {
  const home = country === undefined ? null : requireCountry(country);
  const parsed = parsePhone(text, home, { unassigned: 'accept', tollFree: 'accept' });
  if (parsed.ok) return parsed.phone;
  throw invalidPhone(text, parsed.refusal);
}
