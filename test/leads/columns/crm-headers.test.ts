import { describe, expect, test } from 'vitest';
import type { ListField } from '../../../src/domain/lists/list-mapping.ts';
import { mapTable } from '../../../src/leads/columns/layout.ts';
import { mapColumns } from '../../../src/leads/columns/map-columns.ts';

interface Export {
  from: string;
  headers: string;
  phones: string[];
  fields: Partial<Record<ListField, string>>;
  doNotCall?: string[];
}

/** Column names as these programs write them into their own exports. */
const EXPORTS: Export[] = [
  {
    from: 'HubSpot',
    headers:
      'Record ID|First Name|Last Name|Email|Phone Number|Mobile Phone Number|Contact owner|Lead Status|State/Region|Postal Code|Country/Region|Associated Company|Create Date',
    phones: ['Mobile Phone Number', 'Phone Number'],
    fields: {
      externalId: 'Record ID',
      firstName: 'First Name',
      lastName: 'Last Name',
      email: 'Email',
      state: 'State/Region',
      postalCode: 'Postal Code',
      country: 'Country/Region',
      company: 'Associated Company',
    },
  },
  {
    from: 'Salesforce',
    headers:
      'Salutation|First Name|Last Name|Account Name|Mailing State/Province|Mailing Zip/Postal Code|Mailing Country|Phone|Mobile|Lead Source',
    phones: ['Mobile', 'Phone'],
    fields: {
      company: 'Account Name',
      state: 'Mailing State/Province',
      postalCode: 'Mailing Zip/Postal Code',
      country: 'Mailing Country',
    },
  },
  {
    from: 'Salesforce Marketing Cloud',
    headers: '_MobileNumber|_UTCOffset|_IsHonorDST|_ContactKey',
    phones: ['_MobileNumber'],
    fields: { externalId: '_ContactKey' },
  },
  {
    from: 'GoHighLevel',
    headers:
      'Contact Id|First Name|Last Name|Business Name|Phone|Email|Created|Last Activity|Tags|Additional Phone|State|Postal Code|Country|Timezone',
    phones: ['Phone', 'Additional Phone'],
    fields: { externalId: 'Contact Id', company: 'Business Name', timezone: 'Timezone' },
  },
  {
    from: 'Pipedrive',
    headers:
      'Person - ID|Person - Name|Person - First name|Person - Last name|Person - Organization|Person - Email - Work|Person - Phone - Work|Person - Phone - Home|Person - Phone - Mobile|Person - Phone - Other|Person - Owner',
    phones: [
      'Person - Phone - Mobile',
      'Person - Phone - Work',
      'Person - Phone - Home',
      'Person - Phone - Other',
    ],
    fields: {
      externalId: 'Person - ID',
      name: 'Person - Name',
      firstName: 'Person - First name',
      company: 'Person - Organization',
      email: 'Person - Email - Work',
    },
  },
  {
    from: 'Close',
    headers:
      'id|display_name|status_label|primary_contact_name|primary_contact_primary_phone|primary_contact_primary_phone_type|primary_contact_other_phones|primary_contact_primary_email|custom.Industry',
    phones: ['primary_contact_primary_phone', 'primary_contact_other_phones'],
    fields: { externalId: 'id', name: 'display_name', email: 'primary_contact_primary_email' },
  },
  {
    from: 'Apollo',
    headers:
      'First Name|Last Name|Company Name|Email|Work Direct Phone|Home Phone|Mobile Phone|Corporate Phone|Other Phone|Company Phone|Do Not Call|City|State|Country|Apollo Contact Id',
    phones: [
      'Mobile Phone',
      'Work Direct Phone',
      'Home Phone',
      'Other Phone',
      'Corporate Phone',
      'Company Phone',
    ],
    fields: { externalId: 'Apollo Contact Id', company: 'Company Name', state: 'State' },
    doNotCall: ['Do Not Call'],
  },
  {
    from: 'Mailchimp',
    headers:
      'Email Address|FNAME|LNAME|PHONE|MEMBER_RATING|OPTIN_TIME|GMTOFF|DSTOFF|TIMEZONE|CC|REGION|LEID|EUID|UNSUB_TIME',
    phones: ['PHONE'],
    fields: {
      firstName: 'FNAME',
      lastName: 'LNAME',
      timezone: 'TIMEZONE',
      country: 'CC',
      state: 'REGION',
      externalId: 'LEID',
    },
    doNotCall: ['UNSUB_TIME'],
  },
  {
    from: 'Google Contacts',
    headers:
      'Given Name|Family Name|Organization Name|E-mail 1 - Label|E-mail 1 - Value|Phone 1 - Label|Phone 1 - Value|Phone 2 - Type|Phone 2 - Value|Address 1 - Region|Address 1 - Postal Code|Address 1 - Country',
    phones: ['Phone 1 - Value', 'Phone 2 - Value'],
    fields: {
      firstName: 'Given Name',
      lastName: 'Family Name',
      company: 'Organization Name',
      email: 'E-mail 1 - Value',
      country: 'Address 1 - Country',
    },
  },
  {
    from: 'Outlook',
    headers:
      "First Name|Middle Name|Last Name|Company|Business State|Business Postal Code|Business Country/Region|Assistant's Phone|Business Fax|Business Phone|Business Phone 2|Callback|Car Phone|Company Main Phone|Home Fax|Home Phone|Mobile Phone|Other Phone|Pager|Primary Phone|Telex|TTY/TDD Phone|E-mail Address",
    phones: [
      'Mobile Phone',
      'Primary Phone',
      'Business Phone',
      'Business Phone 2',
      'Home Phone',
      'Car Phone',
      'Other Phone',
      'Company Main Phone',
    ],
    fields: { country: 'Business Country/Region', email: 'E-mail Address' },
  },
  {
    from: 'Zoho',
    headers:
      'Record Id|Lead Owner|Company|First Name|Last Name|Lead Name|Email|Phone|Mobile|State|Zip Code',
    phones: ['Mobile', 'Phone'],
    fields: { externalId: 'Record Id', name: 'Lead Name', postalCode: 'Zip Code' },
  },
  ...['contact_number', 'phone number', 'phone_number', 'phone'].map((header) => ({
    from: `a batch-call vendor (${header})`,
    headers: `name|${header}|first_name`,
    phones: [header],
    fields: { name: 'name', firstName: 'first_name' },
  })),
];

describe('the columns of an export are found', () => {
  test.each(EXPORTS)('of $from', ({ headers: line, phones, fields, doNotCall = [] }) => {
    const headers = line.split('|');
    const mapping = mapColumns('list.csv', headers);
    const named = (index: number) => headers[index];
    expect(mapping.phones.map(named)).toEqual(phones);
    expect(mapping.doNotCall.map(named)).toEqual(doNotCall);
    const found = Object.entries(mapping.fields).map(([field, index]) => [field, named(index)]);
    expect(Object.fromEntries(found)).toMatchObject(fields);
  });
});

const rows = (...lines: string[]) => lines.map((line) => line.split('|'));

test('a column whose name says number and whose cells do not is not called', () => {
  const data = rows('work|+12125550100', 'home|+12125550101', 'work|');
  expect(mapColumns('list.csv', ['Mobile', 'Phone'], data).phones).toEqual([1]);
});

test('two columns that are equally good are for the operator to decide', () => {
  const data = rows('+12125550100|+12125550101');
  const headers = ['Mobile', 'Cell "x"'];
  expect(() => mapColumns('list.csv', headers, data)).toThrow(
    expect.objectContaining({
      code: 'LIST_COLUMN_UNCLEAR',
      exitCode: 2,
      candidates: [0, 1],
      hint: 'give --map phone=Mobile or --map phone=#2 (or several of them, in the order to call)',
    }) as Error,
  );
  const table = { path: 'list.csv', headers, rows: data };
  const by = (column: string) =>
    mapTable(table, true, { choices: [{ target: 'phone', column }] }).phones;
  for (const column of ['Cell "x"', 'cell x', '#2']) expect(by(column)).toEqual([1]);
  expect(() => by('Handy')).toThrow(
    expect.objectContaining({ code: 'LIST_HAS_NO_COLUMN' }) as Error,
  );
});

test('two such columns with the same numbers, or never both filled in, are no question', () => {
  expect(mapColumns('l', ['Mobile', 'Cell'], rows('+12125550100|+12125550100')).phones).toEqual([
    0, 1,
  ]);
  expect(
    mapColumns('l', ['Mobile', 'Cell'], rows('+12125550100|', '|+12125550101')).phones,
  ).toEqual([0, 1]);
});

test('a list whose column of numbers has a strange name is told the flag that names it', () => {
  const data = rows('Al|+12125550100');
  expect(() => mapColumns('list.csv', ['Wer', 'Leitung'], data)).toThrow(
    expect.objectContaining({
      code: 'LIST_HAS_NO_PHONE_COLUMN',
      hint: 'numbers are in "Leitung": give --map phone=Leitung',
    }) as Error,
  );
});

test('a field can be taken away from its column', () => {
  const choices = [{ target: 'country', column: null }] as const;
  expect(mapColumns('list.csv', ['phone', 'country'], [], choices).fields.country).toBeUndefined();
});

test.each([
  ['German', ['Kd-Nr.', 'Telefon privat', 'Telefon mobil', 'Telefax', 'E-Mail'], [2, 1]],
  ['German, by kind of line', ['Festnetz', 'Mobilfunknummer'], [1, 0]],
  ['French', ['Nom', 'Tél. fixe', 'Portable', 'Pays'], [2, 1]],
  ['Spanish', ['Nombre', 'Teléfono fijo', 'Móvil'], [2, 1]],
  ['Japanese', ['氏名', '電話番号', '携帯電話', '国'], [2, 1]],
  ['Chinese', ['姓名', '手机号码', '电话'], [1, 2]],
  ['Indian', ['Customer Name', 'Mobile No.', 'Alt. Mobile'], [1, 2]],
  ['Hindi', ['नाम', 'मोबाइल नंबर'], [1]],
  ['Russian', ['ФИО', 'Телефон', 'Мобильный телефон'], [2, 1]],
])('the columns of a %s spreadsheet are found', (_, headers, phones) => {
  expect(mapColumns('list.csv', headers).phones).toEqual(phones);
});
