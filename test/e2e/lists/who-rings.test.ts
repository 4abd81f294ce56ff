import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { CALL, callingDesk } from '../../helpers/services/calling-desk.ts';
import {
  CALL_LABELS,
  NOT_THEIRS,
  ORDINARY,
  OTHER_WAYS,
  STATES,
} from '../../leads/columns/call-labels.ts';
import { csv } from './csv.ts';

describe('who rings', () => {
  it('is only who may be called by each of a hundred columns in forty languages', async () => {
    const labels = [
      ...CALL_LABELS.map(({ header, no, yes }) => [header, no, yes] as const),
      ...STATES.map(([header, no, yes], n) => [`${header} ${n}`, no, yes] as const),
    ];
    const { at, rang } = await callingDesk();
    // Each row has one no, in another column; the first and the last have none.
    const row = (n: number) => labels.map(([, no, yes], column) => (column === n ? no : yes));
    const rows = labels.map((_, n) => [aPhone(n + 1), ...row(n)]);
    const free = [aPhone(0), aPhone(labels.length + 1)];
    const [first = '', last = ''] = free;
    const headers = ['phone', ...labels.map(([header]) => header)];
    at.write('leads.csv', csv([headers, [first, ...row(-1)], ...rows, [last, ...row(-1)]]));

    const { code, err } = await at.run(['run', 'leads.csv', ...CALL, '-o', 'out.csv']);

    expect([code, err]).toEqual([
      0,
      expect.stringContaining(`2 added, ${labels.length} suppressed`),
    ]);
    expect(rang()).toEqual(free.toSorted());
    const results = rowsOf(at.read('out.csv')).map((lead) => lead['call_result']);
    expect(results.filter((result) => result === 'suppressed')).toHaveLength(labels.length);
  });

  it('is everybody whom an ordinary column, or an opt-out of something else, says something of', async () => {
    const columns = [...ORDINARY, ...OTHER_WAYS];
    const { at, rang } = await callingDesk();
    const phones = [0, 1, 2].map(aPhone);
    const rows = phones.map((phone) => [phone, ...columns.map(([, cell]) => cell)]);
    at.write('leads.csv', csv([['phone', ...columns.map(([header]) => header)], ...rows]));

    expect(await at.run(['run', 'leads.csv', ...CALL])).toMatchObject({ code: 0 });

    expect(rang()).toEqual(phones.toSorted());
  });

  it('is the person, and never an agent, a spouse, a fax or a number that is dead', async () => {
    // These two say that the person is not to be called at all.
    const columns = NOT_THEIRS.filter((header) => !/DNC|Blacklisted/.test(header));
    const { at, rang } = await callingDesk();
    let next = 1_000;
    const others = () => columns.map(() => aPhone((next += 1)));
    const rows = [
      [aPhone(0), ...others()],
      ['', ...others()],
      [aPhone(1), ...others()],
    ];
    at.write('leads.csv', csv([['Phone', ...columns], ...rows]));
    const checked = await at.run(['check', 'leads.csv', ...CALL]);
    expect(checked.err).toContain(
      "Never called, as their names say that they hold other people's or dead numbers:",
    );

    expect(await at.run(['run', 'leads.csv', ...CALL])).toMatchObject({ code: 0 });

    expect(rang()).toEqual([aPhone(0), aPhone(1)]);
  });

  it('is no number that stands in the column of those who must not be called', async () => {
    const { at, rang } = await callingDesk();
    const rows = [
      [aPhone(0), aPhone(1), ''],
      [aPhone(2), '', ''],
      [aPhone(1), '', ''],
      [aPhone(3), '', aPhone(4)],
    ];
    at.write('leads.csv', csv([['Phone', 'DNC Phone', 'Blacklisted Phone'], ...rows]));

    expect(await at.run(['run', 'leads.csv', ...CALL])).toMatchObject({ code: 0 });

    expect(rang()).toEqual([aPhone(2)]);
  });

  it('is nobody while a column may decide about it, until a flag says what it means', async () => {
    const { at, rang } = await callingDesk();
    const list = csv([
      ['Mobile', 'Phone approved'],
      [aPhone(0), 'yes'],
      [aPhone(1), 'no'],
    ]);
    at.write('leads.csv', list);
    for (const verb of ['check', 'run']) {
      const { code, err } = await at.run([verb, 'leads.csv', ...CALL]);
      expect(code).toBe(2);
      expect(err).toContain('"Phone approved" (column 2) may say who must not be called');
      expect(err).toContain('--map mayCall="Phone approved" if yes means: may be called');
    }
    expect(at.has('data/callsheet.db')).toBe(false);

    const flag = ['--map', 'mayCall=Phone approved'];
    expect(await at.run(['run', 'leads.csv', ...CALL, ...flag])).toMatchObject({ code: 0 });
    expect(rang()).toEqual([aPhone(0)]);
    const more = list.replace(aPhone(0), aPhone(2)).replace(aPhone(1), aPhone(3));
    at.write('more.csv', more);
    expect(await at.run(['import', 'leads', 'more.csv'])).toMatchObject({ code: 0 });
    expect(await at.run(['run', 'leads'])).toMatchObject({ code: 0 });
    expect(rang()).toEqual([aPhone(0), aPhone(2)]);
  });
});

/** Exports whose numbers are equally good by their names: the first number of a row is the one to call. */
const EXPORTS: [from: string, headers: string, first: string, cells?: Record<string, string>][] = [
  [
    'Shopify, customers',
    'Customer ID|First Name|Last Name|Email|Accepts Email Marketing|Default Address Phone|Phone|Accepts SMS Marketing',
    'Phone',
    { 'Accepts Email Marketing': 'no', 'Accepts SMS Marketing': 'no' },
  ],
  [
    'Shopify, orders',
    'Name|Email|Financial Status|Shipping Phone|Billing Phone|Phone',
    'Phone',
    { 'Financial Status': 'paid' },
  ],
  ['WooCommerce', 'order_number|shipping_phone|billing_phone|billing_email', 'billing_phone'],
  [
    'VICIdial',
    'vendor_lead_code|phone_code|phone_number|first_name|address3|alt_phone|status|called_since_last_reset',
    'phone_number',
    { phone_code: '1', status: 'NEW', called_since_last_reset: 'Y' },
  ],
  [
    'HubSpot',
    'Record ID|WhatsApp Phone Number|Phone Number|Mobile Phone Number',
    'Mobile Phone Number',
  ],
  ['Amazon', 'order-id|ship-phone-number|buyer-phone-number', 'buyer-phone-number'],
  ['Mailchimp', 'Email Address|SMS Phone|Phone Number|LEID|EUID', 'Phone Number'],
  ['Outlook', 'First Name|Radio Phone|Business Phone|Home Phone|Mobile Phone', 'Mobile Phone'],
  [
    'Google Contacts',
    'First Name|Phone 1 - Label|Phone 1 - Value|Phone 2 - Value',
    'Phone 1 - Value',
    { 'Phone 1 - Label': 'Work' },
  ],
  [
    'Salesforce',
    'Lead Source|Phone|Mobile|Other Phone|Asst. Phone|Do Not Call',
    'Mobile',
    { 'Do Not Call': '0' },
  ],
  [
    'Zoho CRM',
    'Record Id|Lead Owner|Phone|Mobile|Email Opt Out',
    'Mobile',
    { 'Email Opt Out': 'true' },
  ],
  [
    'Pipedrive',
    'Person - Name|Person - Phone|Person - Phone - Work|Person - Phone - Mobile',
    'Person - Phone - Mobile',
  ],
  ['Freshsales', 'First name|Mobile|Work|Other phone numbers', 'Mobile'],
  ['GoHighLevel', 'Contact Id|First Name|Phone|Additional Phones|DND', 'Phone', { DND: 'false' }],
];

describe('the export of a well-known program', () => {
  it('is called at the number of the person, and nobody is asked which', async () => {
    const { at, rang } = await callingDesk();
    const expected: string[] = [];
    let next = 0;
    for (const [n, [from, line, first, cells = {}]] of EXPORTS.entries()) {
      const headers = line.split('|');
      const isNumber = (header: string) => /phone|mobile|work|address3/i.test(header);
      const row = headers.map((header) => {
        const cell = cells[header];
        if (cell !== undefined || !isNumber(header)) return cell ?? 'x';
        const phone = aPhone((next += 1));
        if (header === first) expected.push(phone);
        return phone;
      });
      at.write(`list-${n}.csv`, csv([headers, row]));
      const flags = n === 0 ? CALL : [];
      const { code, err } = await at.run(['import', 'spring', `list-${n}.csv`, ...flags]);
      expect({ from, code, err: code === 0 ? '' : err }).toEqual({ from, code: 0, err: '' });
    }

    expect(await at.run(['run', 'spring'])).toMatchObject({ code: 0 });

    expect(rang()).toEqual(expected.toSorted());
    expect(expected).toHaveLength(EXPORTS.length);
  });
});

describe('a file of people who are not to be called', () => {
  it('is taken with all its numbers, whosever they are by their names', async () => {
    const { at, rang } = await callingDesk();
    const theirs = [
      [aPhone(0), 'yes', aPhone(1), aPhone(2)],
      ['', 'no', aPhone(3), ''],
    ];
    at.write(
      'out.csv',
      csv([['DNC Phone', 'Do Not Call', 'Old Mobile', 'Spouse Phone'], ...theirs]),
    );
    expect(
      await at.run(['suppress', 'import', 'out.csv', '--db', 'data/callsheet.db']),
    ).toMatchObject({ code: 0 });
    at.write('leads.csv', csv([['phone'], ...[0, 1, 2, 3, 4].map((n) => [aPhone(n)])]));

    expect(await at.run(['run', 'leads.csv', ...CALL])).toMatchObject({ code: 0 });

    expect(rang()).toEqual([aPhone(4)]);
  });
});
