import { expect, test } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import {
  AGENT,
  KEY,
  rangTwice,
  simulatedService,
} from '../../helpers/services/simulated-service.ts';

const SET = ['--agent', AGENT, '--set', 'polling.floor=20ms', '--rules', 'always'];
const AREAS =
  '202 206 212 214 281 303 305 310 312 330 404 408 415 469 472 479 510 607 610 617 646 656 713 832 860 972'.split(
    ' ',
  );
/** Numbers for fiction, written with a plus and without the 1. */
const WITHOUT_CODE = AREAS.map((area, n) => `+${area}55501${String(n).padStart(2, '0')}`);

async function aDesk() {
  const service = await simulatedService({ fixedCallMs: 10 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  const rang = () => {
    expect(rangTwice(service.ledger())).toEqual([]);
    return service.ledger().map((entry) => entry.phone_number);
  };
  return { at, rang };
}

async function ringsIn(rows: readonly string[], ...flags: string[]): Promise<string[]> {
  const { at, rang } = await aDesk();
  at.write('leads.csv', `${rows.join('\n')}\n`);
  await at.run(['run', 'leads.csv', ...SET, ...flags]);
  return rang();
}

test('of a column whose numbers have a plus and no country code nobody rings, and each row names both readings', async () => {
  const { at, rang } = await aDesk();
  at.write('leads.csv', `phone\n${[...WITHOUT_CODE, '+12125550199'].join('\n')}\n`);
  const { err } = await at.run(['check', 'leads.csv', '--country', 'US', ...SET]);
  await at.run(['run', 'leads.csv', '--country', 'US', ...SET]);

  expect(rang()).toEqual(['+12125550199']);
  expect(err).toContain('27 rows, 1 good, 26 rejected');
  expect(err).toContain('+12025550100 without its country code, or +2025550100');
});

test('a row that names its country or a state of it refuses such a number without --country', async () => {
  const rows = [
    'phone,country,state',
    '+6465550110,US,',
    '+6565550109,United States,',
    '+4725550111,,NY',
    '+6475550111,,Ontario',
    '+12125550102,US,NY',
  ];
  expect(await ringsIn(rows)).toEqual(['+12125550102']);
});

test('a row that names another country, and a column whose numbers have their code, let it ring as written', async () => {
  const elsewhere = ['phone,country', '+6465550110,NZ', '+6565550109,SG'];
  const ring = await ringsIn(elsewhere, '--country', 'US');
  expect(ring.toSorted()).toEqual(['+6465550110', '+6565550109']);

  const others = ['+12125550101', '+12125550102', '+442079460103'];
  const all = [...others, '+6465550110'];
  const rang = await ringsIn(['phone', ...all], '--country', 'US');
  expect(rang.toSorted()).toEqual(all.toSorted());
});

test('a do-not-call list with such a number suppresses both readings', async () => {
  const { at, rang } = await aDesk();
  at.write('leads.csv', 'phone\n+16465550110\n+64 6 555 0110\n+12125550102\n');
  at.write('dnc.csv', 'phone\n+6465550110\n');
  const db = ['--db', at.path('callsheet.db')];
  const { code } = await at.run(['suppress', 'import', 'dnc.csv', '--country', 'US', ...db]);
  expect(code).toBe(0);
  await at.run(['run', 'leads.csv', ...SET, ...db]);
  expect(rang()).toEqual(['+12125550102']);
});
