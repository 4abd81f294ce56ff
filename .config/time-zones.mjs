// Writes test/leads/zones/iana/clocks.txt: what the time-zone database says of every zone and country, for the tests
// and for `npm run zones`. Reads the files of Debian's package tzdata by itself, so that neither Node's data nor our
// tables have a part in it:
//
//   apt-get download tzdata && dpkg-deb -x tzdata_*.deb tzdata
//   npm run time-zones -- tzdata/usr/share/zoneinfo '2026f, Debian tzdata 2026f-0+deb12u1'
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, version] = process.argv.slice(2);
if (version === undefined) throw new Error('usage: time-zones.mjs ZONEINFO VERSION');

const MINUTE_S = 60;
/** Minutes in the file count from here. */
const FROM = Date.UTC(2026, 0, 1) / 1_000;
const TO = Date.UTC(2030, 0, 1) / 1_000;

const zoneTab = readFileSync(join(folder, 'zone.tab'), 'utf8');
const countries = new Map();
for (const [country, , zone] of fieldsOf(zoneTab)) {
  countries.set(country, [...(countries.get(country) ?? []), zone]);
}

const clocks = new Map();
for (const name of namesOf(readFileSync(join(folder, 'tzdata.zi'), 'utf8'))) {
  const clock = clockOf(readFileSync(join(folder, name)));
  clocks.set(clock, [...(clocks.get(clock) ?? []), name]);
}

writeFileSync(
  new URL('../test/leads/zones/iana/clocks.txt', import.meta.url),
  `# Time-zone database ${version}: zone.tab and compiled zones. In the public domain.
# Written by \`npm run time-zones\`; do not edit.
# country: ISO 3166 code and its zones of zone.tab.
# clock: offset from UTC in minutes at 2026-01-01T00:00Z; then \`minutes after that:new offset\` up to 2030 | all names of
# zones with this clock, old ones too.
${[...countries]
  .sort()
  .map(([country, zones]) => `country ${country} ${zones.join(' ')}`)
  .join('\n')}
${[...clocks]
  .map(([clock, names]) => `clock ${clock} | ${names.sort().join(' ')}`)
  .sort()
  .join('\n')}
`,
);

function fieldsOf(text) {
  return text
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => line.split('\t'));
}

/** Names of zones and links; those without a place (`EST`, `Factory`, `Etc/GMT+5`) are left out. */
function namesOf(text) {
  const names = text.split('\n').flatMap((line) => {
    const [kind, first, second] = line.split(' ');
    return kind === 'Z' ? [first] : kind === 'L' ? [second] : [];
  });
  return [...new Set(names)]
    .filter((name) => name.includes('/') && !name.startsWith('Etc/'))
    .sort();
}

/**
 * A compiled zone (RFC 9636), of its second part, which has 64 bits. Debian writes all changes up to 2037 out
 * (`zic -b fat`), so that the rule at the end of the file is not needed; a file without them is refused.
 */
function clockOf(file) {
  const first = headerAt(file, 0);
  const { at, times, types } = headerAt(file, first.end);
  const offsets = times * 8 + times + at;
  const changes = Array.from({ length: times }, (_, index) => {
    const type = file[at + times * 8 + index];
    return [Number(file.readBigInt64BE(at + index * 8)), file.readInt32BE(offsets + type * 6)];
  });
  const rule = file.toString('latin1').split('\n').at(-2);
  if (rule.includes(',') && !(changes.at(-1)?.[0] > TO))
    throw new Error(`changes end too early: ${rule}`);
  if (types === 0) throw new Error('no offset');
  let offset = changes.findLast(([time]) => time <= FROM)?.[1] ?? file.readInt32BE(offsets);
  const shown = [offset / MINUTE_S];
  for (const [time, next] of changes) {
    if (time <= FROM || time >= TO || next === offset) continue;
    shown.push(`${(time - FROM) / MINUTE_S}:${next / MINUTE_S}`);
    offset = next;
  }
  return shown.join(' ');
}

function headerAt(file, start) {
  if (file.toString('latin1', start, start + 4) !== 'TZif') throw new Error('not a TZif file');
  const [utc, std, leaps, times, types, chars] = [20, 24, 28, 32, 36, 40].map((at) =>
    file.readUInt32BE(start + at),
  );
  const at = start + 44;
  const wide = start === 0 ? 4 : 8;
  return {
    at,
    times,
    types,
    end: at + times * (wide + 1) + types * 6 + chars + leaps * (wide + 4) + std + utc,
  };
}
