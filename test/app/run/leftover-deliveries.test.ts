import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { rowsOf, type Desk } from '../../helpers/callsheet.ts';
import { aDesk, leftOpen, NOT_YET } from '../../cli/commands/desk.ts';

describe('deliveries that were received by a callsheet that was killed', () => {
  it('are looked at by the next collect, whatever campaign they are of', async () => {
    const { at, service } = await aDesk(NOT_YET);
    await leftOpen(at);
    const [open] = rowsOf((await at.run(['export', 'leads', '-o', '-'])).out);
    const fields = { email: 'al@example.com' };
    const data = { call_id: open?.['call_id'], lead: fields };
    await receive(at, service.url, { type: 'lead.captured', data });

    service.behave({});
    const { err } = await at.run(['collect', 'leads']);

    expect(err).toContain(`Deliveries of ${service.url} that had not been processed yet: 1.\n`);
    const [row] = rowsOf(at.read('data/results/leads.csv'));
    expect(JSON.parse(row?.['call_captured_lead'] ?? '')).toEqual([fields]);
    expect((await at.run(['collect', 'leads'])).err).not.toContain('Deliveries');
  });

  it('stay where they are when their service cannot be opened, which is said', async () => {
    const { at } = await aDesk();
    await at.run(['import', 'leads', 'leads.csv', '--agent', 'ag_1']);
    await receive(at, 'gone', { type: 'lead.captured', data: { call_id: 'call_1', lead: {} } });

    const { err } = await at.run(['collect']);

    expect(err).toMatch(
      /^Deliveries of gone wait for `npx callsheet serve`: There is no service "gone"/,
    );
    expect((await at.run(['inbox', 'list'])).out).toContain('received');
  });
});

it('all deliveries in a state are looked at again, or those of one service', async () => {
  const { at } = await aDesk();
  await at.run(['import', 'leads', 'leads.csv', '--agent', 'ag_1']);
  const event = { type: 'lead.captured', data: { call_id: 'call_1', lead: {} } };
  await receive(at, 'gone', event);
  await receive(at, 'other', event, 'dlv_2');

  const replay = ['inbox', 'replay', '--state', 'received'];
  const of = await at.run([...replay, '--service', 'other']);
  expect(of.err).toContain('1 delivery looked at again');
  expect(of.err).toContain('Deliveries of other wait');
  expect(of.err).not.toContain('Deliveries of gone');
  expect((await at.run(replay)).err).toContain('2 deliveries looked at again');
});

it('a delivery that did its part long ago is shown without its body, and not looked at again', async () => {
  const { at, service } = await aDesk();
  await at.run(['import', 'leads', 'leads.csv', '--agent', 'ag_1']);
  await receive(at, service.url, { type: 'call.started', data: { call_id: 'call_1' } });
  await at.run(['collect']);
  const store = openSqliteStore({ path: at.path('data/callsheet.db'), mode: 'write' });
  await store.dropBodies({
    service: service.url,
    from: 0,
    before: Date.now() + 1,
    uselessBefore: 0,
  });
  await store.close();

  const shown = await at.run(['inbox', 'show', 'dlv_1']);
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.out).toContain('ignored');
  expect(shown.err).toContain('Its body was dropped');
  const again = await at.run(['inbox', 'replay', 'dlv_1']);
  expect(again.code).toBe(2);
  expect(again.err).toContain('did its part more than 30 days ago');
});

/** As a listener does that is killed right after. */
async function receive(at: Desk, service: string, event: unknown, id = 'dlv_1'): Promise<void> {
  const store = openSqliteStore({ path: at.path('data/callsheet.db'), mode: 'write' });
  await store.inboxPut({
    ...{ id, service, key: 'evt_1', receivedAt: Date.now() },
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(event)),
    signed: true,
  });
  await store.close();
}
