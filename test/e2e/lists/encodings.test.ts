import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callingDesk, CALL } from '../../helpers/services/calling-desk.ts';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { aDesk, expectSaid, filesOf } from './bad-input.ts';

const [FIRST, SECOND, THIRD] = [0, 1, 2].map(aPhone) as readonly string[] as [
  string,
  string,
  string,
];
const STRAY = Buffer.from([0xe9]);

const bytes = (...parts: (string | readonly number[] | Uint8Array)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
  );

describe('a stray byte in a list of UTF-8', () => {
  it('costs its row alone, which says where it is and comes back mended', async () => {
    const { at, rang } = await callingDesk();
    at.write(
      'leads.csv',
      bytes(`name,phone\nZoë,${FIRST}\nAndr`, STRAY, `,${SECOND}\n日本,${THIRD}\n`),
    );

    const ended = await at.run(['run', 'leads.csv', ...CALL, '-o', 'out.csv']);

    expect(ended.code).toBe(0);
    expect(ended.err).toContain(
      `line 3: "Andr\ufffd" cannot be read as UTF-8; write it anew there`,
    );
    expect(rowsOf(at.read('out.csv')).map(({ name }) => name)).toEqual(['Zoë', '日本']);
    expect(rang()).toEqual([FIRST, THIRD].toSorted());

    const [name = ''] = readdirSync(at.path('data/rejects'));
    const rejects = at.read(`data/rejects/${name}`);
    const again = await at.run(['import', 'leads', `data/rejects/${name}`]);
    expect(again.err).toContain('1 row, 0 added, 1 rejected');
    at.write('mended.csv', rejects.replace('Andr\ufffd', 'André'));
    expect(await at.run(['import', 'leads', 'mended.csv'])).toMatchObject({ code: 0 });
    expect(await at.run(['run', 'leads', '-o', 'out.csv'])).toMatchObject({ code: 0 });
    expect(rang()).toEqual([FIRST, SECOND, THIRD].toSorted());
    expect(at.read('out.csv')).toContain('André');
  });

  it('is found wherever it stands: in quotes, below a bare quote, beyond the first piece', async () => {
    const { at, rang } = await callingDesk();
    const filler = Array.from({ length: 4_000 }, (_, n) => `no number ${n},\n`).join('');
    at.write(
      'leads.csv',
      bytes(
        `name,phone\n"Zoë Æ ""Z""",${FIRST}\n`,
        filler,
        '"Smith,\nJ',
        STRAY,
        `",${SECOND}\nAl "A" X,${THIRD}\nB`,
        [0xe6, 0x97],
        `,${aPhone(3)}\nEd,${aPhone(4)}\n`,
      ),
    );
    const { err } = await at.run(['run', 'leads.csv', ...CALL]);
    expect(err.match(/cannot be read as UTF-8; write/g)).toHaveLength(2);
    expect(rang()).toEqual([FIRST, THIRD, aPhone(4)].toSorted());
  });

  it('may be the last byte of the file', async () => {
    const { at, rang } = await callingDesk();
    at.write('leads.csv', bytes(`phone,name\n${FIRST},Zoë\n${SECOND},Andr`, STRAY));
    at.write('western.csv', bytes(`phone,name\n${THIRD},Andr`, STRAY));
    const { err } = await at.run(['run', 'leads.csv', ...CALL]);
    expect(err).toContain('line 3: "Andr\ufffd" cannot be read as UTF-8; write it anew there');
    const other = await at.run(['run', 'western.csv', ...CALL]);
    expect(other.err).toContain('so the list is read as windows-1252');
    expect(rang()).toEqual([FIRST, THIRD]);
  });

  it('beside letters that were lost before costs its row alone, too', async () => {
    const { at, rang } = await callingDesk();
    const list = bytes(`name,phone\nZo\ufffd,${FIRST}\nAndr`, STRAY, `,${SECOND}\nAl,${THIRD}\n`);
    at.write('leads.csv', list);
    const { err } = await at.run(['run', 'leads.csv', ...CALL]);
    expect(err).toContain('"Andr\ufffd" cannot be read as UTF-8');
    expect(rang()).toEqual([THIRD]);
  });

  it('suppresses whoever asks for it in its row', async () => {
    const { at, rang } = await callingDesk();
    const list = bytes(`name,phone,do not call\nZoë,${FIRST},\nAndr`, STRAY, `,${SECOND},yes\n`);
    at.write('leads.csv', list);
    at.write('more.csv', `phone\n${SECOND}\n${THIRD}\n`);
    for (const name of ['leads.csv', 'more.csv'])
      expect(await at.run(['run', name, ...CALL])).toMatchObject({ code: 0 });
    expect(rang()).toEqual([FIRST, THIRD].toSorted());
  });

  it('in the column names refuses the list', async () => {
    const { at, service } = await aDesk();
    at.write('leads.csv', bytes('phone,n', STRAY, ` ligar\n${FIRST},é\n`));
    expectSaid(
      await at.run(['run', 'leads.csv', '--agent', 'ag_1']),
      2,
      /leads\.csv has column names that cannot be read as UTF-8 \(line 1\)/,
      /write the names anew, and save the file as "CSV UTF-8"/,
    );
    expect(service.dialled).toEqual([]);
  });

  it.each([
    ['one, and no letter beyond ASCII that is UTF-8', bytes('Andr', STRAY)],
    ['two in a row, and no letter that is', bytes('Andr', STRAY, STRAY)],
    ['many, and none that is', bytes('M', [0xfc], 'ller, Andr', STRAY)],
    [
      'more than what is UTF-8 by chance',
      bytes('A', [0xc3, 0xa9], 'Andr', STRAY, ' M', [0xfc], 'ller'),
    ],
  ])('is Windows-1252 where it is %s', async (_what, name) => {
    const { at, rang } = await callingDesk();
    at.write('leads.csv', bytes('phone,name\n', FIRST, ',"', name, '"\n'));
    const { err } = await at.run(['run', 'leads.csv', ...CALL, '-o', 'out.csv']);
    expect(err).toContain('line 2 is not UTF-8, so the list is read as windows-1252');
    expect(at.read('out.csv')).toContain('André'.slice(0, 4));
    expect(rang()).toEqual([FIRST]);
  });
});

describe('an encoding that cannot be told from ASCII is named', () => {
  const jis = '\x1b$B;aL>\x1b(B,\x1b$BEEOC\x1b(B\n\x1b$B;3ED\x1b(B,+12005550100\n';

  it.each<[string, string | Uint8Array, RegExp, RegExp]>([
    ['ISO-2022-JP', jis, /is ISO-2022 \(of Japan, Korea or China\);/, /save it as UTF-8/],
    [
      'ISO-2022-KR',
      `\x1b$)Cname,phone\n\x0e1h\x0f,${FIRST}\n`,
      /is ISO-2022 \(of Japan, Korea or China\);/,
      /save it as UTF-8: in a spreadsheet as "CSV UTF-8"/,
    ],
    ['HZ', `name,phone\n~{VPND~},${FIRST}\n`, /is HZ \(of China\);/, /save it as UTF-8/],
    ['UTF-7', `name,phone\nRen+AOk-,${FIRST}\n`, /is UTF-7;/, /save it as UTF-8/],
    ['UTF-7 of Müßig', `name,phone\nM+APwA3w-ig,${FIRST}\n`, /is UTF-7;/, /save it as UTF-8/],
    ['UTF-7 of Анна', `name,phone\n+BBAEPQQ9BDA-,${FIRST}\n`, /is UTF-7;/, /save it as UTF-8/],
    ['UTF-7 of Εύα', `name,phone\n+A5UDzQOx-,${FIRST}\n`, /is UTF-7;/, /save it as UTF-8/],
    ['UTF-7 with its mark', `+/v8-name,phone\nAl,${FIRST}\n`, /is UTF-7;/, /save it as UTF-8/],
    [
      'UTF-32',
      Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from('p\0\0\0h\0\0\0')]),
      /is UTF-32;/,
      /save it as "CSV UTF-8"/,
    ],
    [
      'UTF-16 without its mark',
      Buffer.from(`phone\n${FIRST}\n`, 'utf16le'),
      /is full of zero bytes/,
      /save it as "CSV UTF-8"; if it is UTF-16 without its mark, give --encoding utf-16le/,
    ],
    [
      'UTF-16 that was cut off',
      Buffer.from(`\ufeffphone\n${FIRST}\n`, 'utf16le').subarray(0, -1),
      /ends in the middle of a character of UTF-16LE \(line 2\): it was cut off/,
      /export it again/,
    ],
    [
      'Shift_JIS in the column names',
      bytes('phone,', [0x89, 0xcb, 0x93, 0x64, 0x8b, 0xd6, 0x8e, 0x7e], `\n${FIRST},x\n`),
      /has column names that cannot be read as UTF-8 \(line 1\)/,
      /save the file as "CSV UTF-8"/,
    ],
    [
      'windows-1251 in the column names',
      bytes(
        'phone,',
        [0xcd, 0xe5, 0x20, 0xe7, 0xe2, 0xee, 0xed, 0xe8, 0xf2, 0xfc],
        `\n${FIRST},\n`,
      ),
      /neither UTF-8 nor Western European/,
      /save it as "CSV UTF-8", or give its --encoding/,
    ],
  ])('%s', async (_what, content, sentence, next) => {
    const { at, service } = await aDesk();
    at.write('leads.csv', content);
    const before = filesOf(at);
    expectSaid(await at.run(['run', 'leads.csv', '--agent', 'ag_1']), 2, sentence, next);
    expect(filesOf(at)).toEqual(before);
    expect(service.dialled).toEqual([]);
  });

  it('also where it begins far below, and is not read where it is given', async () => {
    const at = desk();
    const rows = Array.from({ length: 4_000 }, (_, n) => `no number ${n},\n`).join('');
    const list = `name,phone\n${rows}\x1b$B;3ED\x1b(B,${FIRST}\n`;
    at.write('leads.csv', list);
    const check = ['check', 'leads.csv', '--service', 'simulated'];
    expectSaid(await at.run(check), 2, /is ISO-2022 \(of Japan/, /save it as UTF-8/);
    for (const name of ['iso-2022-jp', 'iso-2022-kr', 'hz-gb-2312', 'utf-7']) {
      const given = await at.run([...check, '--encoding', name]);
      expectSaid(given, 2, new RegExp(`--encoding "${name}" is not`), /saved as "CSV UTF-8"/);
    }
  });

  it('and what looks like UTF-7 in numbers is none', async () => {
    const { at, rang } = await callingDesk();
    const spelled = FIRST.replace('+1200', '+1-200-').replace('55501', '555-01');
    at.write(
      'leads.csv',
      `phone,note\n${spelled},+440- A+B-C +ABC- x+y/z- +A4EDITION-2 +BAHNCARD-50\n`,
    );
    expect(await at.run(['run', 'leads.csv', ...CALL])).toMatchObject({ code: 0 });
    expect(rang()).toEqual([FIRST]);
  });
});

it('names in another script are read as Windows-1252 with what to do, and right by --encoding', async () => {
  const at = desk();
  const hangul = Buffer.from([0xb1, 0xe8, 0xb9, 0xce, 0xc1, 0xf6]);
  at.write('leads.csv', bytes('name,phone\n', hangul, `,${FIRST}\n`));
  const check = ['check', 'leads.csv', '--service', 'simulated'];
  const { err, code } = await at.run(check);
  expect(code).toBe(0);
  expect(err).toContain('save it as "CSV UTF-8" or say what it is with --encoding');
  expect((await at.run([...check, '--encoding', 'euc-kr'])).err).toContain('"김민지"');
});

it('two files put together lose the mark between them, and nobody in them', async () => {
  const { at, rang } = await callingDesk();
  const one = `\ufeffname,phone\n"Al",${FIRST}\n`;
  at.write('leads.csv', `${one}\ufeff"Smith, J",${SECOND}\n\ufeffEd,${THIRD}\n`);
  expect(await at.run(['run', 'leads.csv', ...CALL, '-o', 'out.csv'])).toMatchObject({ code: 0 });
  expect(rang()).toEqual([FIRST, SECOND, THIRD].toSorted());
  expect(rowsOf(at.read('out.csv')).map(({ name }) => name)).toEqual(['Al', 'Smith, J', 'Ed']);
});
