import { mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { zipOf } from '../../leads/read/zip-of.ts';
import { aDesk, expectSaid, filesOf } from './bad-input.ts';

const LIST = `name,phone\nAl,${aPhone(0)}\n`;
const RUN = ['--agent', 'ag_1'];

/** A compound file with these names in its folder: [MS-CFB] 2.2 and 2.6. */
function oleOf(...names: string[]): Buffer {
  const head = Buffer.alloc(512);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(head);
  head.writeUInt16LE(9, 30);
  head.writeUInt32LE(1, 48);
  const entries = ['Root Entry', ...names].map((name) => {
    const entry = Buffer.alloc(128);
    entry.write(name, 0, 'utf16le');
    entry.writeUInt16LE(name.length * 2 + 2, 64);
    return entry;
  });
  return Buffer.concat([head, Buffer.alloc(512), ...entries]);
}

const hex = (digits: string) => Buffer.concat([Buffer.from(digits, 'hex'), Buffer.alloc(600)]);
const tar = Buffer.alloc(1_024);
tar.write('leads.csv');
tar.write('ustar', 257);

const FILES: [name: string, content: string | Uint8Array, sentence: RegExp, next: RegExp][] = [
  ['leads.xls', oleOf('Workbook'), /is a workbook of the old kind \(\.xls\)/, /save it as \.xlsx/],
  [
    'leads.xlsx',
    oleOf('EncryptedPackage', 'EncryptionInfo'),
    /is encrypted with a password/,
    /save it without one/,
  ],
  ['leads.doc', oleOf('WordDocument'), /is a document \(Word, \.doc\)/, /export the data itself/],
  ['leads.msg', oleOf('__nameid_version1.0'), /is a message \(Outlook, \.msg\)/, /attached/],
  [
    'leads.xlsb',
    zipOf({ 'xl/workbook.bin': 'x' }),
    /is a binary workbook \(\.xlsb\)/,
    /save it as \.xlsx/,
  ],
  [
    'leads.ods',
    zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }),
    /is an OpenDocument spreadsheet \(\.ods\)/,
    /save it as \.xlsx or "CSV UTF-8"/,
  ],
  [
    'leads.numbers',
    zipOf({ 'Index/Document.iwa': 'x' }),
    /is a Numbers spreadsheet/,
    /export it as CSV/,
  ],
  ['leads.docx', zipOf({ 'word/document.xml': 'x' }), /is a document \(Word, \.docx\)/, /export/],
  [
    'lists.zip',
    zipOf({ 'a.csv': LIST, 'b.csv': LIST }),
    /holds 2 files \(a\.csv, b\.csv\)/,
    /one by one/,
  ],
  ['empty.zip', hex('504b0506'), /is an empty archive/, /unpack it/],
  ['twice.csv.gz', gzipSync(gzipSync(LIST)), /holds another \.gz/, /unpack it/],
  ['zip.gz', gzipSync(zipOf({ 'a.csv': LIST })), /holds a \.zip or a workbook/, /unpack it/],
  ['gz.zip', zipOf({ 'a.csv.gz': gzipSync(LIST) }), /holds another \.gz/, /unpack it/],
  ['leads.tar.gz', gzipSync(tar), /holds a folder \(\.tar\)/, /unpack it/],
  ['leads.7z', hex('377abcaf271c'), /is packed with 7-Zip/, /unpack it/],
  ['pdf.csv', '%PDF-1.7\n%\u00e2', /is a PDF/, /export the data itself as CSV/],
  ['pdf.gz', gzipSync('%PDF-1.7\n'), /holds what is a PDF/, /unpack it/],
  ['scan.csv', hex('89504e470d0a1a0a'), /is a picture \(PNG\)/, /export the data/],
  ['photo.csv', hex('ffd8ffe0'), /is a picture \(JPEG\)/, /export the data/],
  ['base.csv', 'SQLite format 3\0', /is an SQLite database/, /export the data/],
  [
    'page.csv',
    `<!DOCTYPE html>\n<table><tr><td>${aPhone(0)}`,
    /is a web page \(HTML\)/,
    /open it in a spreadsheet/,
  ],
  ['wide.csv', Buffer.from('\ufeff<html><table>', 'utf16le'), /is a web page/, /spreadsheet/],
  ['page.xls', '\n<html xmlns:x="x">', /is a web page/, /spreadsheet/],
  [
    '2003.xml',
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n',
    /is a workbook as XML/,
    /\.xlsx/,
  ],
  ['data.xml', '<?xml version="1.0"?>\n<leads><lead/></leads>', /is XML/, /export the data as CSV/],
  ['data.csv', '{"phone": "+12005550100"}\n', /is JSON/, /one row per lead/],
  ['array.csv', '[\n  {"phone": "+12005550100"}\n]', /is JSON/, /one row per lead/],
  ['people.csv', 'BEGIN:VCARD\nVERSION:3.0\n', /is a file of contacts \(vCard\)/, /as CSV/],
  ['secret.csv', '-----BEGIN PGP MESSAGE-----\n', /is encrypted \(PGP\)/, /decrypt it/],
  ['zeros.csv', Buffer.alloc(900), /is full of zero bytes/, /./],
  ['empty.csv', '', /is empty/, /export the list again/],
  ['blank.csv', '\ufeff\n \n', /is empty/, /export the list again/],
  ['empty.csv.gz', gzipSync(''), /is empty/, /export the list again/],
  [
    'spaces.txt',
    `phone         name    city\n${aPhone(0)}  Alex    Rome\n${aPhone(1)}  Bo Bell Paris\n`,
    /has columns separated by spaces or something else/,
    /export it with commas, semicolons or tabs/,
  ],
  ['bare.txt', `Alex ${aPhone(0)}\nBo ${aPhone(1)}\n`, /columns separated by spaces/, /commas/],
  [
    'signs.txt',
    `phone^name\n${aPhone(0)}^Alex\n`,
    /columns separated by spaces or something else/,
    /commas/,
  ],
];

describe('a file that is no list is named for what it is, and nothing is made', () => {
  it.each(FILES)('%s', async (name, content, sentence, next) => {
    const { at, service } = await aDesk();
    at.write(name, content);
    const before = filesOf(at);
    for (const verb of ['check', 'run'])
      expectSaid(await at.run([verb, name, ...RUN]), 2, sentence, next);
    expect(filesOf(at)).toEqual(before);
    expect(service.dialled).toEqual([]);
  });

  it('a folder whose name is that of a campaign', async () => {
    const { at } = await aDesk();
    mkdirSync(at.path('numbers'));
    expectSaid(
      await at.run(['check', 'numbers', ...RUN]),
      2,
      /is a folder/,
      /give a file: no list/,
    );
  });

  it('an import leaves what is in a campaign as it is', async () => {
    const { at } = await aDesk();
    await at.run(['import', 'spring', 'leads.csv', ...RUN]);
    at.write('new.csv', '%PDF-1.7\n');
    for (const flags of [[], ['--sync']])
      expectSaid(await at.run(['import', 'spring', 'new.csv', ...flags]), 2, /is a PDF/, /export/);
    const { out } = await at.run(['status', 'spring', '--json']);
    expect(JSON.parse(out)).toMatchObject({ waiting: 1 });
  });
});

describe('a list of one column', () => {
  it.each([
    ['numbers in groups', `phone\n+1 200 555 0100\n+1 200 555 0101\n`],
    ['a name of two words', `Phone Number\n200 5550100\n200 5550101\n`],
    ['words for the kind of a number', `Phone\n${aPhone(0)} mobile\n${aPhone(1)} home\n`],
    ['a title above it', `Numbers for spring\nphone\n${aPhone(0)}\n${aPhone(1)}\n`],
  ])('is taken: %s', async (_what, list) => {
    const at = desk();
    at.write('leads.csv', list);
    const flags = ['--service', 'simulated', '--country', 'US', '--json'];
    const { code, out, err } = await at.run(['check', 'leads.csv', ...flags]);
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('"good": 2');
  });

  it('without a name keeps its first number, also where a word stands before it', async () => {
    const at = desk();
    at.write('leads.csv', `Tel.: ${aPhone(0)}\nTel.: ${aPhone(1)}\n`);
    const check = ['check', 'leads.csv', '--service', 'simulated', '--json'];
    expect(await at.run(check)).toMatchObject({ code: 2 });
    expect((await at.run([...check, '--map', 'phone=#1'])).out).toContain('"good": 2');
  });

  it('of people who are not to be called is taken with what stands beside its numbers', async () => {
    const at = desk();
    at.write('out.txt', 'phone name\n+12125550100 Alex\n+12125550101 Bo\n');
    const { code, err } = await at.run(['suppress', 'import', 'out.txt', '--db', 'calls.db']);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(err).toContain('2 numbers suppressed');
  });
});
