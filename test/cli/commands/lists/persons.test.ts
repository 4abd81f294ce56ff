import { describe, expect, it } from 'vitest';
import { callingDesk, CALL } from '../../../helpers/services/calling-desk.ts';

const PHONES = Array.from({ length: 8 }, (_, i) => `+1212555020${i}`);
const [A = '', B = '', C = '', D = '', E = ''] = PHONES;
const HERE = ['--db', 'calls.db'];
const FIRST = [...CALL, '--rules', 'always', '--country', 'US', ...HERE];

/** Runs lists one after the other, each into the campaign that is named. */
async function lists(...all: { name?: string; csv: string; flags?: string[] }[]) {
  const { at, rang } = await callingDesk();
  for (const [n, { name = 'spring', csv, flags = [] }] of all.entries()) {
    at.write(`${n}.csv`, csv);
    const add = all.slice(0, n).some((one) => (one.name ?? 'spring') === name);
    const how = add ? ['--add', ...HERE] : FIRST;
    await at.run(['run', `${n}.csv`, '--name', name, '--yes', ...how, ...flags]);
  }
  return { at, rang };
}

describe('an external id', () => {
  it('carries a do-not-call from one row to the other', async () => {
    const csv = `Contact ID,Phone,DNC\n7,${A},yes\n7,${B},no\n8,${C},no\n`;
    expect((await lists({ csv })).rang()).toEqual([C]);
  });

  it('carries a do-not-call to a later list, of this campaign and of another', async () => {
    const first = { csv: `Contact ID,Name,Phone,DNC\n7,Ann Mill,${A},yes\n9,Coy,${C},\n` };
    const later = { csv: `Contact ID,Name,Phone\n7,Ann Mill,${B}\n` };
    const other = { name: 'summer', csv: `Contact ID,Name,Phone\n7,Ann Mill,${D}\n8,Ben,${E}\n` };
    expect((await lists(first, later, other)).rang()).toEqual([C, E]);
  });

  it('whose number a later list corrects is not called a second time', async () => {
    const first = { csv: `id,Name,Phone\n1,Ann,${A}\n` };
    const later = { csv: `id,Name,Phone\n1,Ann,${B}\n2,Ben,${C}\n` };
    const { at, rang } = await lists(first, later);
    expect(rang()).toEqual([A, C]);
    const { out } = await at.run(['explain', B, ...HERE]);
    expect(out).toContain(`the same person was called on ${A}`);
  });

  it('is one person for --skip-called, where the other campaign agrees on the name', async () => {
    const first = { csv: `id,Name,Phone\n1,Ann Mill,${A}\n2,Ben,${B}\n` };
    const other = {
      name: 'summer',
      csv: `id,Name,Phone\n1,Ann Mill,${C}\n2,Zoe,${D}\n`,
      flags: ['--skip-called', 'ever'],
    };
    expect((await lists(first, other)).rang()).toEqual([A, B, D]);
  });

  it.each(['0', 'n/a', '-', 'NULL', '99999', ''])('of %j joins nobody', async (id) => {
    const csv = `Contact ID,Phone,DNC\n${id},${A},yes\n${id},${B},no\n`;
    expect((await lists({ csv })).rang()).toEqual([B]);
  });

  it('of many rows, or of other names, joins nobody', async () => {
    const many = PHONES.slice(0, 6).map((phone, i) => `7,,${phone},${i === 0 ? 'yes' : 'no'}`);
    const named = `8,Ann,${PHONES[6]},yes\n8,Ben,${PHONES[7]},no`;
    const csv = `Contact ID,Name,Phone,DNC\n${many.join('\n')}\n${named}\n`;
    expect((await lists({ csv })).rang()).toEqual([...PHONES.slice(1, 6), PHONES[7]]);
  });
});

describe('an e-mail address', () => {
  it('joins rows without an id, but not those of a mailbox that many share, nor of other names', async () => {
    const rows = [
      `Ann,ann@mill.example,${A},yes`,
      `Ann Mill,Ann@Mill.example,${B},no`,
      `Ben,ann@mill.example,${C},no`,
      `Coy,info@shop.example,${D},yes`,
      `Coy,info@shop.example,${E},no`,
    ];
    const csv = `Name,Email,Phone,DNC\n${rows.join('\n')}\n`;
    expect((await lists({ csv })).rang()).toEqual([C, E]);
  });

  it('joins nobody whose ids differ', async () => {
    const csv = `id,Email,Phone,DNC\n1,ann@mill.example,${A},yes\n2,ann@mill.example,${B},no\n`;
    expect((await lists({ csv })).rang()).toEqual([B]);
  });
});

describe('a person with two numbers', () => {
  it('is called on neither once a list says so of the second', async () => {
    const { at, rang } = await callingDesk();
    at.write('a.csv', `Name,Phone,Mobile\nAnn,${A},${B}\nCoy,${C},\n`);
    at.write('b.csv', `Name,Phone,DNC\nAnn,${B},yes\n`);
    await at.run(['import', 'spring', 'a.csv', ...FIRST]);
    await at.run(['import', 'other', 'b.csv', ...FIRST]);
    await at.run(['run', 'spring', '--yes', ...HERE]);
    expect(rang()).toEqual([C]);
  });
});
