import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk, type Desk } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import {
  rowsXml,
  textCell,
  workbookFile,
  type BookPlan,
} from '../../helpers/files/workbook-file.ts';
import { expectSaid } from './bad-input.ts';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';

const CHECK = ['check', 'leads.xlsx', '--agent', 'ag_1', '--service', 'simulated'];
const PEOPLE = rowsXml([[textCell('phone')], [textCell(aPhone(0))]]);

function aDesk(plan: BookPlan | Buffer, env: Record<string, string> = {}): Desk {
  const at = desk(env);
  writeFileSync(at.path('leads.xlsx'), Buffer.isBuffer(plan) ? plan : workbookFile(plan));
  return at;
}

/** A process of its own that has hardly more memory than it needs: what is kept of each cell does not fit. */
const checkedWithin = (megabytes: number, plan: BookPlan) =>
  spawnCallsheet(aDesk(plan, { NODE_OPTIONS: `--max-old-space-size=${megabytes}` }), CHECK).ended;

/** `part` with something before its end. */
function withMore(part: string, before: string, more: string): NonNullable<BookPlan['change']> {
  return (parts) => ({
    ...parts,
    [part]: String(parts[part]).replace(before, () => more + before),
  });
}

const SHEET = 'xl/worksheets/sheet1.xml';

describe('a workbook cannot fill the memory of the machine', () => {
  const laughs = Array.from({ length: 9 }, (_, n) => {
    const of = n === 0 ? 'ha' : `&l${n - 1};`.repeat(10);
    return `<!ENTITY l${n} "${of}">`;
  });

  it.each<[how: string, plan: () => BookPlan, said: RegExp]>([
    [
      'with a cell in its last corner',
      () => ({ sheets: [{ rows: `${PEOPLE}${cornerRow('XFD', 1_048_576)}` }] }),
      /leads\.xlsx has a value that is beyond column 4000, and a list has no more of them \(row 1048576, column 16384\)\./,
    ],
    [
      'with a long text that thousands of rows show',
      () => ({
        sheets: [
          {
            rows:
              rowsXml([[textCell('phone'), textCell('note')]]) +
              repeated(5_000, () => `<row>${textCell(aPhone(0))}<c t="s"><v>0</v></c></row>`),
          },
        ],
        texts: `<si><t>${'x'.repeat(900_000)}</t></si>`,
      }),
      /leads\.xlsx is too large: its rows take more than 4294967296 bytes\./,
    ],
    [
      'with a text that it has once and shows a thousand times in a row',
      () => ({
        sheets: [{ rows: `<row>${'<c t="s"><v>0</v></c>'.repeat(1_000)}</row>` }],
        texts: `<si><t>${'x'.repeat(500_000)}</t></si>`,
      }),
      /leads\.xlsx is too large: row 1 has more than 1000000 letters\./,
    ],
    [
      'with a sheet that is packed a thousand times',
      () => ({ sheets: [{ rows: `<row a="${'x'.repeat(90_000)}"/>`.repeat(270) }] }),
      /leads\.xlsx is too large: xl\/worksheets\/sheet1\.xml unpacks to more than 200 times its packed size\./,
    ],
    [
      'with styles without end',
      () => ({
        sheets: [{ rows: PEOPLE }],
        formats: [0],
        change: withMore(
          'xl/styles.xml',
          '</cellXfs>',
          `<xf a="${'x'.repeat(90_000)}"/>`.repeat(400),
        ),
        zip: { how: 'stored' },
      }),
      /leads\.xlsx is too large: xl\/styles\.xml unpacks to more than 30000000 bytes\./,
    ],
    [
      'with a text without end',
      () => ({ sheets: [{ rows: `<row>${textCell('x'.repeat(10_000_000))}</row>` }] }),
      /leads\.xlsx has a text of more than 1000000 letters/,
    ],
    [
      'with a text of pieces without end',
      () => ({
        sheets: [
          {
            rows: `<row><c t="inlineStr"><is>${'<r><t>and more</t></r>'.repeat(200_000)}</is></c></row>`,
          },
        ],
      }),
      /leads\.xlsx has a text of more than 1000000 letters/,
    ],
    [
      'with elements within each other',
      () => ({ sheets: [{ rows: '<a>'.repeat(1_000_000) }] }),
      /leads\.xlsx is a broken workbook: xl\/worksheets\/sheet1\.xml has more than 100 elements in each other\./,
    ],
    [
      'with names that stand for more of them',
      () => ({
        sheets: [{ rows: `<row>${textCell('&l8;')}</row>` }],
        change: withMore(SHEET, '<worksheet', `<!DOCTYPE a [${laughs.join('')}]>`),
      }),
      /leads\.xlsx is a broken workbook: xl\/worksheets\/sheet1\.xml declares a document type, which workbooks may not\./,
    ],
  ])('%s', async (_, plan, said) => {
    expectSaid(await aDesk(plan()).run(CHECK), 2, said, /^\w/);
  });

  it('with rows that go on to the last column there can be', async () => {
    const rows = PEOPLE + repeated(3_000, (n) => cornerRow('EWV', n + 3));
    const ended = await checkedWithin(100, { sheets: [{ rows }] });
    expect(ended.out + ended.err).toContain('leads.xlsx: 3,001 rows, 1 good, 3,000 rejected');
  });

  it('with a quarter of a million merged cells', async () => {
    const merged = `<mergeCells>${repeated(250_000, (n) => `<mergeCell ref="A${n}:B${n}"/>`)}</mergeCells>`;
    const ended = await checkedWithin(64, {
      sheets: [{ rows: PEOPLE }],
      change: withMore(SHEET, '</worksheet>', merged),
      zip: { how: 'stored' },
    });
    expect(ended.out + ended.err).toContain('leads.xlsx: 1 row, 1 good');
  });
});

describe('a broken workbook is refused in words', () => {
  const GOOD = { sheets: [{ rows: PEOPLE }] };
  it.each<[how: string, book: () => BookPlan | Buffer, said: RegExp]>([
    [
      'that is cut off',
      () => workbookFile(GOOD).subarray(0, 900),
      /leads\.xlsx is a broken archive/,
    ],
    [
      'of which a sign was changed on its way',
      () => {
        const book = workbookFile({ ...GOOD, zip: { how: 'stored' } });
        const at = book.indexOf(aPhone(0));
        book.writeUInt8(book.readUInt8(at + 5) ^ 1, at + 5);
        return book;
      },
      /leads\.xlsx is a broken workbook: xl\/worksheets\/sheet1\.xml cannot be unpacked\./,
    ],
    [
      'of which a part is damaged',
      () => {
        const book = workbookFile(GOOD);
        return book.fill(0xff, book.indexOf(SHEET) + SHEET.length, book.indexOf(SHEET) + 40);
      },
      /leads\.xlsx is a broken workbook: xl\/worksheets\/sheet1\.xml cannot be unpacked\./,
    ],
    [
      'with a tag that is not closed',
      () => ({ ...GOOD, change: withMore(SHEET, '</worksheet>', '<a>') }),
      /leads\.xlsx is a broken workbook: xl\/worksheets\/sheet1\.xml is not well-formed XML \(unexpected close tag\)\./,
    ],
    [
      'with signs that are no text',
      () => ({
        ...GOOD,
        change: (parts) => ({ ...parts, [SHEET]: Buffer.from('<a>\xe9\xe9</a>', 'latin1') }),
      }),
      /leads\.xlsx is a broken workbook: xl\/worksheets\/sheet1\.xml is neither UTF-8 nor UTF-16\./,
    ],
    [
      'without the sheet that it names',
      () => ({
        ...GOOD,
        change: (parts) =>
          Object.fromEntries(Object.entries(parts).filter(([name]) => name !== SHEET)),
      }),
      /leads\.xlsx is a broken workbook: it names a sheet "Leads" and does not have it\./,
    ],
    [
      'with a text that is not there',
      () => ({ sheets: [{ rows: '<row><c t="s"><v>7</v></c></row>' }], texts: '<si/>' }),
      /leads\.xlsx is a broken workbook: a cell is the shared text 7, and it has 1 of them\./,
    ],
    [
      'with a row twice',
      () => ({ sheets: [{ rows: PEOPLE + PEOPLE }] }),
      /leads\.xlsx is a broken workbook: row 1 is there twice\./,
    ],
    [
      'with a row that comes too late in a long sheet to be put in its place',
      () => {
        const rows = repeated(12_000, (n) => cornerRow('B', n + 3));
        return { sheets: [{ rows: PEOPLE.replace('r="2"', 'r="20000"') + rows }] };
      },
      /leads\.xlsx is a broken workbook: row \d+ comes after row 20000\./,
    ],
    [
      'with a row that no sheet has',
      () => ({ sheets: [{ rows: cornerRow('A', 1_048_577) }] }),
      /leads\.xlsx is a broken workbook: it has a row 1048577, and a sheet has 1048576 at most\./,
    ],
    [
      'without sheets',
      () => ({ sheets: [] }),
      /leads\.xlsx is a workbook without a sheet of cells\./,
    ],
    [
      'that is none, but a text document',
      () => ({
        ...GOOD,
        change: (parts) => ({ ...parts, 'xl/workbook.xml': '<w:document xmlns:w="x"/>' }),
      }),
      /leads\.xlsx is an Office document, but not a workbook\./,
    ],
  ])('%s', async (_, book, said) => {
    const ended = await aDesk(book()).run(CHECK);
    expectSaid(ended, 2, said, /save it|give a list|mend the file/);
  });
});

function repeated(count: number, text: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => text(n)).join('');
}

/** A row with one cell that holds something. */
function cornerRow(column: string, row: number): string {
  return `<row r="${row}"><c r="${column}${row}"><v>1</v></c></row>`;
}
