import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../helpers/callsheet.ts';
import { aDesk, leftOpen, NOT_YET, PHONES, RUN } from '../desk.ts';

describe('collect', () => {
  it('brings in what a run left open, and never dials', async () => {
    const { at, service } = await aDesk(NOT_YET);
    await leftOpen(at);
    service.behave({});
    const collected = await at.run(['collect', 'leads']);
    expect(collected.code).toBe(3);
    expect(collected.err).toContain('2 leads wait; `npx callsheet run leads` goes on.');
    expect(service.dialled).toHaveLength(1);
    const rows = rowsOf(at.read('data/results/leads.csv'));
    expect(rows.map((row) => row['call_result'])).toEqual(['answered', '', '']);
    const none = await at.run(['collect']);
    expect(none.err).toBe('No call is open.\n');
  });

  it('without a name brings in every open call', async () => {
    const { at, service } = await aDesk(NOT_YET);
    await leftOpen(at);
    service.behave({});
    const collected = await at.run(['collect']);
    expect(collected.err).toMatch(/^Collecting "leads"\.\n/);
    expect(collected.code).toBe(3);
  });
});

describe('cancel', () => {
  it('withdraws one person', async () => {
    const { at, service } = await aDesk();
    await at.run(['import', 'leads', ...RUN.slice(1)]);
    const withdrawn = await at.run(['cancel', 'leads', '--lead', '+12125550101']);
    expect(withdrawn).toMatchObject({ code: 0, err: '+12125550101 is withdrawn from "leads".\n' });
    expect((await at.run(['run', 'leads'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual([PHONES[0], PHONES[2]]);
    const rows = rowsOf(at.read('data/results/leads.csv'));
    expect(rows.map((row) => row['call_result'])).toEqual(['answered', 'cancelled', 'answered']);
    const done = await at.run(['cancel', 'leads', '--lead', '+12125550100']);
    expect(done.err).toContain('is done already; see the results.');
    const unknown = await at.run(['cancel', 'leads', '--lead', '+12125550199']);
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('No lead of "leads" has the number +12125550199.');
    expect((await at.run(['cancel', 'leads', '--lead', 'x'])).code).toBe(2);
  });

  it('ends a campaign, while its open calls are collected', async () => {
    const { at, service } = await aDesk(NOT_YET);
    await leftOpen(at);
    const cancelled = await at.run(['cancel', 'leads']);
    expect(cancelled.err).toBe(
      'Campaign "leads" is cancelled: 2 waiting leads are not called. 1 call in progress ends by itself. `npx callsheet collect leads` brings the results in.\n`npx callsheet cancel leads --undo` takes it back, as long as none of them is called elsewhere.\n',
    );
    service.behave({});
    const collected = await at.run(['collect', 'leads']);
    expect(collected.code).toBe(0);
    expect(collected.err).toContain('The campaign is cancelled.');
    const refused = await at.run(['run', 'leads']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('Campaign "leads" is cancelled.');
    expect(service.dialled).toHaveLength(1);
    const rows = rowsOf(at.read('data/results/leads.csv'));
    expect(rows.map((row) => row['call_result'])).toEqual(['answered', 'cancelled', 'cancelled']);
  });

  it('cannot hang up on a person who is being called', async () => {
    const { at } = await aDesk(NOT_YET);
    await leftOpen(at);
    const { code, err } = await at.run(['cancel', 'leads', '--lead', '+12125550100']);
    expect(code).toBe(1);
    expect(err).toContain(
      'is being called now; the service has no way to hang up. They are not called again.',
    );
  });
});
