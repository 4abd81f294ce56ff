import { expect, test } from 'vitest';
import { readRows } from '../../../src/leads/rows/add-rows.ts';
import { scanList } from '../../../src/leads/rows/first-reading.ts';
import { readTable } from '../columns/read-table.ts';
import { tempList } from '../temp-list.ts';

/** The twelve cases of csv-spectrum, under their names; the texts are our own. */

test.each<[name: string, text: string, rows: string[]]>([
  ['simple', 'a,b,c\n4,5,6\n', ['a|b|c', '4|5|6']],
  ['simple_crlf', 'a,b,c\r\n4,5,6\r\n', ['a|b|c', '4|5|6']],
  [
    'comma_in_quotes',
    'first,last,address,city\nAda,Doe,12 any st.,"Anytown, WW"',
    ['first|last|address|city', 'Ada|Doe|12 any st.|Anytown, WW'],
  ],
  ['empty', 'a,b,c\n1,"",""\n2,3,4', ['a|b|c', '1||', '2|3|4']],
  ['empty_crlf', 'a,b,c\r\n1,"",""\r\n2,3,4', ['a|b|c', '1||', '2|3|4']],
  ['escaped_quotes', 'a,b\n1,"ho ""ho"" ho"\n3,4\n', ['a|b', '1|ho "ho" ho', '3|4']],
  [
    'json',
    'key,val\n1,"{""type"": ""Point"", ""at"": [1.5, 2]}"\n',
    ['key|val', '1|{"type": "Point", "at": [1.5, 2]}'],
  ],
  [
    'newlines',
    'a,b,c\n1,2,3\n"Long ago \na time",5,6\n7,8,9\n',
    ['a|b|c', '1|2|3', 'Long ago \na time|5|6', '7|8|9'],
  ],
  [
    'newlines_crlf',
    'a,b,c\r\n1,2,3\r\n"Long ago \r\na time",5,6\r\n7,8,9\r\n',
    ['a|b|c', '1|2|3', 'Long ago \r\na time|5|6', '7|8|9'],
  ],
  ['quotes_and_newlines', 'a,b\n1,"ho \n""ho"" \nho"\n3,4\n', ['a|b', '1|ho \n"ho" \nho', '3|4']],
  ['utf8', 'a,b,c\n1,2,3\n4,5,\u02a4\u{1f44d}', ['a|b|c', '1|2|3', '4|5|\u02a4\u{1f44d}']],
])('csv-spectrum %s', async (_, text, rows) => {
  expect(await readTable(text)).toEqual(rows);
});

test('csv-spectrum location_coordinates: seconds of arc are no quotes, and the number is found', async () => {
  const path = tempList(
    'Contact Phone Number,Location Coordinates,Cities\n2095550100,37\ufffd36\'37.8"N 121\ufffd2\'17.9"W,Modesto',
  );
  const rows = [];
  for await (const piece of readRows(await scanList(path), {
    country: 'US',
    refuseFictional: false,
  })) {
    rows.push(...piece);
  }
  expect(rows).toMatchObject([
    {
      kind: 'good',
      phone: '+12095550100',
      cells: ['2095550100', '37\ufffd36\'37.8"N 121\ufffd2\'17.9"W', 'Modesto'],
    },
  ]);
});
