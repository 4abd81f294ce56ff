import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aDesk } from '../../cli/commands/desk.ts';
import { aPhone } from '../../helpers/factory.ts';
import {
  rowsXml,
  textCell,
  workbookFile,
  type BookPlan,
  type SheetPlan,
} from '../../helpers/files/workbook-file.ts';

const IMPORT = ['import', 'spring', 'leads.xlsx', '--agent', 'ag_1'];
const RUN = ['run', 'leads.xlsx', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];

async function aBook(plan: BookPlan | Buffer) {
  const { at, service } = await aDesk();
  writeFileSync(at.path('leads.xlsx'), Buffer.isBuffer(plan) ? plan : workbookFile(plan));
  return { at, service };
}

/** A sheet of people: `phone` and `value`. */
function people(values: readonly string[], from = 0): SheetPlan {
  const rows = values.map((value, n) => [textCell(aPhone(from + n)), value]);
  return { rows: rowsXml([[textCell('phone'), textCell('value')], ...rows]) };
}

/** What an import of a workbook keeps in its column `value`, by number, as an export shows it; and what it said. */
async function kept(plan: BookPlan | Buffer, flags: string[] = []) {
  const { at } = await aBook(plan);
  const { code, err } = await at.run([...IMPORT, ...flags]);
  expect({ code, err }).toMatchObject({ code: 0 });
  await at.run(['export', 'spring', '-o', 'out.jsonl']);
  const lines = at.read('out.jsonl').trim().split('\n');
  const leads = lines.map((line) => (JSON.parse(line) as { lead: Record<string, string> }).lead);
  return { values: leads.map(({ value }) => value), phones: leads.map(({ phone }) => phone), err };
}

/** Cells and what is kept of them. */
async function expectKept(
  cells: readonly (readonly [cell: string, kept: string])[],
  plan: Omit<BookPlan, 'sheets'> = {},
): Promise<string> {
  const { values, err } = await kept({ ...plan, sheets: [people(cells.map(([cell]) => cell))] });
  expect(cells.map(([cell], n) => [cell, values[n]])).toEqual(cells);
  return err;
}

/** A number in each of some formats, and what is kept of it. */
async function expectFormatted(
  cases: readonly (readonly [format: string | number, stored: string, kept: string])[],
  properties?: string,
): Promise<void> {
  const formats = cases.map(([format]) => format);
  const cells = cases.map(([, stored], n) => `<c s="${n + 1}"><v>${stored}</v></c>`);
  const { values } = await kept({ sheets: [people(cells)], formats, properties });
  expect(cases.map(([format, stored], n) => [format, stored, values[n]])).toEqual(cases);
}

describe('the texts of a workbook come in whole', () => {
  it('with signs above U+FFFF, escapes, runs without their pronunciation, and spaces', async () => {
    await expectKept([
      [textCell('&#134071;&#x91CE;&#23478;'), '𠮷野家'],
      [textCell('𠮷田 &#x1F600;'), '𠮷田 😀'],
      [textCell('&lt;Ann &amp; Bo&gt; &quot;&apos;'), `<Ann & Bo> "'`],
      [textCell('one_x000D_\ntwo _x005F_x000D_ _xD842__xDFB7_'), 'one\r\ntwo _x000D_ 𠮷'],
      [textCell('<![CDATA[a & b]]><!-- no --> c'), 'a & b c'],
      ['<c t="inlineStr"><is><t xml:space="preserve"> a  b </t></is></c>', ' a  b '],
      [
        '<c t="inlineStr"><is><r><rPr><b/></rPr><t>An</t></r><r><t>n</t></r><rPh sb="0" eb="1"><t>アン</t></rPh></is></c>',
        'Ann',
      ],
      ['<c t="str"><f>A1&amp;"_x0041_"</f><v>x_x0041_</v></c>', 'xA'],
      ['<c t="str"><f>""</f><v></v></c>', ''],
      ['<c t="inlineStr"><v>written there</v></c>', 'written there'],
    ]);
  });

  it('also those that cells share', async () => {
    await expectKept(
      [
        ['<c t="s"><v>0</v></c>', '𠮷 _x000D_'],
        ['<c t="s"><v> 1 </v></c>', 'Tanaka Kei'],
        ['<c t="s"><v>2</v></c>', ''],
      ],
      {
        texts:
          '<si><t>&#x20BB7; _x005F_x000D_</t></si>' +
          '<si><r><t>Tanaka</t></r><r><t xml:space="preserve"> Kei</t></r><rPh sb="0" eb="6"><t>タナカ</t></rPh></si>' +
          '<si/>',
      },
    );
  });

  it('and other values as the words that a spreadsheet has for them', async () => {
    const said = await expectKept([
      ['<c t="b"><v>1</v></c>', 'TRUE'],
      ['<c t="b"><v>false</v></c>', 'FALSE'],
      ['<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', '#DIV/0!'],
      ['<c t="e"><v>#N/A</v></c>', '#N/A'],
      ['<c><v>12125550100</v></c>', '12125550100'],
      ['<c><v>2.125550100E9</v></c>', '2125550100'],
      ['<c><v>2125550100.0</v></c>', '2125550100'],
      ['<c><v>3.1400000000000001</v></c>', '3.14'],
      ['<c><v>9.1912345678901E+17</v></c>', '9.1912345678901E+17'],
      ['<c><f>A2&amp;B2</f></c>', '=A2&B2'],
      ['<c><f>IF(A2=1,"no","")</f><v/></c>', '=IF(A2=1,"no","")'],
    ]);
    expect(said).toContain(
      'sheet "Leads" has 2 formulas without a result (row 11, column 2), read as they are written',
    );
  });
});

it('a formula whose result is not there never says that somebody may be called', async () => {
  const cells = ['<c><f>IF(C2="x","yes","no")</f></c>', '<c t="str"><f>""</f><v></v></c>'];
  const names = [textCell('phone'), textCell('Do Not Call')];
  const rows = cells.map((cell, n) => [textCell(aPhone(n)), cell]);
  const { at, service } = await aBook({ sheets: [{ rows: rowsXml([names, ...rows]) }] });
  await at.run(RUN);
  expect(service.dialled).toEqual([aPhone(1)]);
});

describe('numbers are what their format says', () => {
  it('days and times, by the formats that have no code', async () => {
    await expectFormatted([
      ...[14, 15, 16, 17, 27, 31, 36, 50, 58, 71].map((id) => [id, '46027', '2026-01-05'] as const),
      ...[22, 14, 78].map((id) => [id, '46027.4375', '2026-01-05 10:30:00'] as const),
      ...[18, 19, 20, 21, 45, 47, 32, 55].map((id) => [id, '0.4375', '10:30:00'] as const),
      [46, '1.1041666666666667', '26:30:00'],
      [20, '46027.75', '2026-01-05 18:00:00'],
      [21, '0.99999999', '23:59:59.999'],
      [22, '46026.999999999', '2026-01-05'],
      [1, '46027', '46027'],
      [9, '0.5', '0.5'],
      [49, '46027', '46027'],
    ]);
  });

  it('days and times, by their codes in any language', async () => {
    const day = (code: string) => [code, '46027', '2026-01-05'] as const;
    await expectFormatted([
      day('yyyy-mm-dd'),
      day('[$-409]d\\-mmm\\-yy;@'),
      day('[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy'),
      day('yyyy"年"m"月"d"日"'),
      day('[$-411]ggge"年"m"月"d"日"'),
      day('[Red][>40000]dd/mm/yyyy;General'),
      day('"due "mmm'),
      ['[<1]h:mm;d.m.yyyy', '0.5', '12:00:00'],
      ['[h]:mm', '1.5', '36:00:00'],
      ['[$-F400]h:mm:ss\\ AM/PM', '0.75', '18:00:00'],
      ['mm:ss.0', '0.000752314814814815', '00:01:05'],
      ['hh"h"mm', '0.375', '09:00:00'],
      ['yyyy\\-mm\\-dd\\Thh:mm:ss.000', '46027.437505', '2026-01-05 10:30:00.432'],
      ['0" days"', '46027', '46027'],
      ['0\\d', '46027', '46027'],
      ['#,##0.00 "USD"', '46027', '46027'],
      ['0.00 USD', '46027', '46027'],
      ['[$USD-409] #,##0', '46027', '46027'],
      ['_-* #,##0.00\\ [$kr.-406]_-', '46027.5', '46027.5'],
      ['General;[Red]-General', '46027', '46027'],
      ['0.00E+00', '46027', '46027'],
    ]);
  });

  it('days from 1900 on with the one that never was, and from 1904 on where the workbook says so', async () => {
    const cases = [
      ['0', '00:00:00', '1904-01-01'],
      ['1', '1900-01-01', '1904-01-02'],
      ['59', '1900-02-28', '1904-02-29'],
      ['60', '1900-02-29', '1904-03-01'],
      ['61', '1900-03-01', '1904-03-02'],
      ['44565', '2022-01-04', '2026-01-05'],
      ['-3', '-3', '-3'],
      ['2957003', '9995-12-30', '9999-12-31'],
      ['2958465', '9999-12-31', '2958465'],
      ['2958466', '2958466', '2958466'],
    ] as const;
    const from1900 = cases.map(([stored, day]) => [14, stored, day] as const);
    await expectFormatted(from1900);
    await expectFormatted(from1900, 'date1904="0"');
    const from1904 = cases.map(([stored, , day]) => [14, stored, day] as const);
    await expectFormatted(from1904, 'date1904="1"');
    await expectFormatted(from1904, 'date1904="true"');
  });

  it('days and times that are written as such', async () => {
    await expectKept([
      ['<c t="d"><v>2026-01-05</v></c>', '2026-01-05'],
      ['<c t="d"><v>2026-01-05T00:00:00.000Z</v></c>', '2026-01-05'],
      ['<c t="d"><v>2026-01-05T10:30:00</v></c>', '2026-01-05 10:30:00'],
      ['<c t="d"><v>10:30:00</v></c>', '10:30:00'],
    ]);
  });

  it('codes with the zeros in front, and phone numbers by their digits', async () => {
    await expectFormatted([
      ['00000', '1234', '01234'],
      ['00000-0000', '12345678', '012345678'],
      ['[<=9999999]###-####;(###) ###-####', '2125550100', '2125550100'],
      ['[<=9999999]###-####;(###) ###-####', '5550100', '5550100'],
      ['[<=99999]00000;00000-0000', '501', '00501'],
      ['0000 000000', '7700900123', '7700900123'],
      ['00000 000000', '7700900123', '07700900123'],
      ['"+"0', '447700900123', '+447700900123'],
      ['\\+0', '447700900123', '+447700900123'],
      ['"+44 "0000 000000', '7700900123', '+447700900123'],
      ['"0"#', '7700900123', '07700900123'],
      ['"No. "0', '17', '17'],
      ['00.00', '1.5', '1.5'],
      ['#,##0', '1234', '1234'],
      ['0', '12125550100', '12125550100'],
      ['@', '12125550100', '12125550100'],
      ['General', '12125550100', '12125550100'],
    ]);
  });

  it('and a day, a time or a duration is nobody to call', async () => {
    const formats = [14, 22, 21, '[h]:mm:ss', '[<=9999999]###-####;(###) ###-####'];
    const cells = [
      '<c s="1"><v>46027</v></c>',
      '<c s="2"><v>46027.4375</v></c>',
      '<c s="3"><v>0.4375</v></c>',
      '<c s="4"><v>49823.006</v></c>',
      `<c s="5"><v>${aPhone(0).slice(2)}</v></c>`,
    ];
    const rows = rowsXml([[textCell('phone')], ...cells.map((cell) => [cell])]);
    const { at, service } = await aBook({ sheets: [{ rows }], formats });
    const checked = await at.run([...RUN.with(0, 'check'), '--country', 'US']);
    expect(checked.err).toContain('"2026-01-05" is a date, not a phone number');
    expect(checked.err).toContain('"2026-01-05 10:30:00" is a date, not a phone number');
    expect(checked.err).toContain('"10:30:00" is a time, not a phone number');
    await at.run([...RUN, '--country', 'US']);
    expect(service.dialled).toEqual([aPhone(0)]);
  });
});

describe('a workbook is read whatever program wrote it', () => {
  const VALUES = ['<c t="s"><v>0</v></c>', '<c s="1"><v>46027</v></c>'];
  const USUAL = { sheets: [people(VALUES)], texts: '<si><t>Ann</t></si>', formats: [14] };
  type Parts = Record<string, string | Buffer>;
  const each = (parts: Parts, one: (text: string, name: string) => [name: string, text: string]) =>
    Object.fromEntries(Object.entries(parts).map(([name, text]) => one(String(text), name)));

  it.each<[how: string, plan: Partial<BookPlan>]>([
    ['as they all do', {}],
    ['in the strict format', { isStrict: true }],
    ['stored and not packed', { zip: { how: 'stored' } }],
    ['with its sizes behind its parts', { zip: { how: 'streamed' } }],
    ['with 64-bit sizes', { zip: { how: 'zip64' } }],
    [
      'with a prefix before all names',
      {
        change: (parts) =>
          each(parts, (text, name) => [
            name,
            text
              .replaceAll(/<(\/?)(?=[a-z])/gi, '<$1x:')
              .replaceAll(/ xmlns="/g, ' xmlns:x="')
              .replaceAll(' r:id=', ' rel:id='),
          ]),
      },
    ],
    [
      'with absolute targets and names of its own',
      {
        change: (parts) =>
          each(parts, (text, name) => [
            name.replace('xl/worksheets/sheet1.xml', 'data/My Sheet.xml'),
            text
              .replace('"worksheets/sheet1.xml"', '"/data/My%20Sheet.xml"')
              .replace('"sharedStrings.xml"', '"../xl/./sharedStrings.xml"')
              .replace('"styles.xml"', '"xl/styles.xml"'),
          ]),
      },
    ],
    [
      'with a workbook elsewhere',
      {
        change: (parts) =>
          each(parts, (text, name) => [
            name.replace(/^xl\/(_rels\/)?workbook\.xml/, '$1book.xml'),
            text
              .replace('xl/workbook.xml', '/book.xml')
              .replaceAll(/Target="(?=[sw])/g, 'Target="xl/'),
          ]),
      },
    ],
    [
      'with names in another case and the other slash',
      {
        change: (parts) =>
          each(parts, (text, name) => [name.replaceAll('/', '\\').toUpperCase(), text]),
      },
    ],
    [
      'in UTF-16, with comments and spaces between everything',
      {
        change: (parts) =>
          Object.fromEntries(
            Object.entries(parts).map(([name, text]) => [
              name,
              Buffer.from(
                `\ufeff${text.replaceAll('><', '>\n <!-- - --> <')}`.replace(
                  'encoding="UTF-8"',
                  'encoding="UTF-16"',
                ),
                'utf16le',
              ),
            ]),
          ),
      },
    ],
    [
      'with what a Mac adds, and a chart before it',
      {
        sheets: [{ name: 'Chart', rows: '', type: 'chartsheet' }, people(VALUES)],
        change: (parts) => ({ '__MACOSX/._leads.xlsx': 'x', '.DS_Store': 'y', ...parts }),
      },
    ],
    [
      'without saying where rows and cells are',
      {
        sheets: [{ rows: people(VALUES).rows.replaceAll(/ r="[A-Z]*\d+"/g, '') }],
      },
    ],
  ])('%s', async (_, plan) => {
    const { values } = await kept({ ...USUAL, ...plan });
    expect(values).toEqual(['Ann', '2026-01-05']);
  });

  it('without texts, styles and empty cells; the line of a lead is its row in the sheet', async () => {
    const rows =
      '<row r="2"><c r="B2" t="str"><v>phone</v></c><c r="D2" t="str"><v>value</v></c><c r="E2" t="str"><v>last</v></c></row>' +
      `<row r="9"><c r="D9"><v>1</v></c><c r="B9" t="str"><v>${aPhone(1)}</v></c><c r="E9"/></row>` +
      '<row r="12" hidden="1"><c r="A12" s="3"/></row>' +
      `<row r="5" hidden="1"><c r="B5" t="str"><v>${aPhone(0)}</v></c></row>`;
    const { at } = await aBook({ sheets: [{ rows }] });
    const { err } = await at.run(IMPORT);
    expect(err).toContain('2 rows, 2 added');
    expect(err).toContain('sheet "Leads" hides 1 row, by a filter or by hand');
    expect(err).not.toContain('cells');
    await at.run(['export', 'spring', '-o', 'out.jsonl']);
    const lines = at.read('out.jsonl').trim().split('\n');
    const leads = lines.map((line) => JSON.parse(line) as { call_lead_line: number });
    expect(leads.map(({ call_lead_line: line }) => line)).toEqual([5, 9]);
  });
});

describe('the sheet that is read', () => {
  const named = (name: string, n: number, state?: string): SheetPlan => ({
    ...people([textCell(name)], n),
    name,
    ...(state === undefined ? {} : { state }),
  });
  const SHEETS = [
    named('Old', 0, 'hidden'),
    named('Older', 1, 'veryHidden'),
    named('Leads', 2),
    named('Not these', 3),
  ];

  it('is the first in sight, which is said where there are others', async () => {
    const { values, err } = await kept({ sheets: SHEETS });
    expect(values).toEqual(['Leads']);
    expect(err).toContain(
      'sheet "Leads" is read, and not "Old" (hidden), "Older" (hidden), "Not these"; choose with --sheet',
    );
  });

  it('is the one that is named, hidden or not', async () => {
    for (const [flag, name] of [
      ['Old', 'Old'],
      ['not THESE', 'Not these'],
    ] as const) {
      const { values, err } = await kept({ sheets: SHEETS }, ['--sheet', flag]);
      expect(values).toEqual([name]);
      expect(err).not.toContain('is read, and not');
    }
  });

  it.each<[sheets: SheetPlan[], flags: string[], said: string]>([
    [
      [...SHEETS, { name: 'Chart', rows: '', type: 'chartsheet' }],
      ['--sheet', 'Laeds'],
      'has no sheet "Laeds"; it has "Old" (hidden), "Older" (hidden), "Leads", "Not these".',
    ],
    [
      [named('Leads', 0), { name: 'Chart', rows: '', type: 'chartsheet' }],
      ['--sheet', 'Chart'],
      'has no cells in "Chart"; sheets with cells are "Leads".',
    ],
    [[named('Old', 0, 'hidden')], [], 'shows no sheet; it hides "Old" (hidden).'],
    [
      [{ name: 'Sheet1', rows: '' }, named('Leads', 0)],
      [],
      'has nothing in sheet "Sheet1"; its other sheets are "Leads".',
    ],
  ])('is never guessed: %#', async (sheets, flags, said) => {
    const { at } = await aBook({ sheets });
    const { code, err } = await at.run([...IMPORT, ...flags]);
    expect(err).toContain(said);
    expect(err).toContain('next: give one of them with --sheet');
    expect(code).toBe(2);
  });
});
