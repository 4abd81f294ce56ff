// Workbooks of about a megabyte whose texts are hostile, in each place where a workbook has text.
import { crc32 } from 'node:zlib';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** By their names: what a text is in the book. Each gets the text of a cell and the text of the whole place. */
export const BOOKS = {
  'shared texts of a workbook': (short) => ({
    rows: rowsOf(700, (n) => `<c t="s"><v>${n % 300}</v></c>`),
    texts: Array.from({ length: 300 }, () => `<si><t>${short}</t></si>`).join(''),
  }),
  'texts in the cells of a workbook': (short) => ({
    rows: rowsOf(500, () => `<c t="inlineStr"><is><t>${short}</t></is></c>`.repeat(4)),
  }),
  'values and places in a workbook': (short) => ({
    rows: rowsOf(300, () => `<c r="${short}" s="${short}" t="${short}"><v>${short}</v></c>`),
  }),
  'formats of a workbook': (_, long) => ({
    rows: rowsOf(300, () => '<c s="1"><v>46000.5</v></c>'),
    format: long,
  }),
  'the name of a sheet': (_, long) => ({ rows: rowsOf(10, () => ''), name: long }),
  'the place of a sheet': (_, long) => ({ rows: rowsOf(10, () => ''), target: long }),
};

/** @param unit what is hostile, repeated in 300 characters of a cell and in a megabyte of a place */
export function bookOf(make, unit) {
  const [short, long] = [300, 1_000_000].map((size) =>
    escaped(unit.repeat(Math.ceil(size / unit.length)).slice(0, size)),
  );
  const { rows, texts = '', format = '0', name = 'Leads', target } = make(short, long);
  const places = ['worksheets/sheet1.xml', 'sharedStrings.xml', 'styles.xml', target];
  const types = ['worksheet', 'sharedStrings', 'styles', 'worksheet'];
  const relations = places.map((place, at) =>
    place === undefined ? '' : relation(at + 1, types[at], place),
  );
  return archive({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"/>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}</Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${texts}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="${format}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
  });
}

function rowsOf(count, cells) {
  const head = '<row><c t="inlineStr"><is><t>Phone</t></is></c></row>';
  const phone = (n) =>
    `<c t="inlineStr"><is><t>+1212555${String(n % 10_000).padStart(4, '0')}</t></is></c>`;
  const rows = Array.from({ length: count }, (_, n) => `<row>${phone(n)}${cells(n)}</row>`);
  return head + rows.join('');
}

function relation(id, type, target) {
  return `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

/** XML 1.0 has no other control characters, and no halves of a pair. */
function escaped(text) {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
}

/** A zip archive of files that are stored as they are (PKWARE APPNOTE 6.3). */
function archive(files) {
  const locals = [];
  const directory = [];
  let at = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, bytes] = [Buffer.from(path), Buffer.from(text)];
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt32LE(crc32(bytes), 10);
    for (const place of [14, 18]) facts.writeUInt32LE(bytes.length, place);
    facts.writeUInt16LE(name.length, 22);
    locals.push(Buffer.from('PK\x03\x04', 'latin1'), facts, name, bytes);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, rest, name);
    at += 30 + name.length + bytes.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  for (const place of [8, 10]) end.writeUInt16LE(Object.keys(files).length, place);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, listed, end]);
}
