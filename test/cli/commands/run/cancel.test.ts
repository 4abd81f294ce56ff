import { describe, expect, it } from 'vitest';
import { desk } from '../../../helpers/callsheet.ts';
import { LIVE, leadTo, livePhone } from '../../../helpers/services/live-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';
import { aDesk, PHONES, listed } from '../desk.ts';

const AGENT = ['--agent', 'ag_1'];
const [AL = '', BO = '', CY = ''] = PHONES;
const quick = ['--set', 'polling.floor=20ms'];

/** Three people wait in "spring", and in "summer" too. */
async function twoCampaigns() {
  const { at, service } = await aDesk();
  await at.run(['import', 'spring', 'leads.csv', ...AGENT]);
  await at.run(['import', 'summer', 'leads.csv', ...AGENT]);
  return { at, service };
}

describe('cancel', () => {
  it('asks on a live service, says how many it concerns, and needs --yes off a terminal', async () => {
    const service = await voiceServer();
    const at = desk({ VOICE_API_KEY: 'k' });
    at.write('leads.csv', `phone\n${[0, 1, 2].map(livePhone).join('\n')}\n`);
    const given = { connect: leadTo({ [LIVE]: service.url }) };
    await at.run(
      [
        'import',
        'spring',
        'leads.csv',
        ...AGENT,
        '--service-url',
        LIVE,
        '--rules',
        'always',
        '--new-db',
        '--db',
        'data/callsheet.db',
      ],
      given,
    );
    const refused = await at.run(['cancel', 'spring']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(
      'Campaign "spring" (draft): 3 people who wait would not be called',
    );
    expect(refused.err).toContain('or give --yes; `npx callsheet pause` pauses it');
    expect((await at.run(['cancel', 'spring'], { typed: 'no\n' })).code).toBe(2);
    expect(await listed(at)).toMatchObject([{ state: 'draft' }]);
    expect((await at.run(['cancel', 'spring', '--lead', livePhone(0)])).code).toBe(0);
    expect((await at.run(['cancel', 'spring', '--yes'])).code).toBe(0);
    expect((await at.run(['cancel', 'spring', '--undo'])).code).toBe(0);
    expect((await at.run(['cancel', 'spring'], { typed: 'yes\n' })).code).toBe(0);
    expect(await listed(at)).toMatchObject([{ state: 'cancelled' }]);
  });

  it('--undo brings the campaign back, paused, and everybody is called once', async () => {
    const { at, service } = await aDesk();
    await at.run(['run', 'leads.csv', ...AGENT, ...quick, '--limit', '1']);
    await at.run(['cancel', 'leads']);
    const { code, err } = await at.run(['cancel', 'leads', '--undo']);
    expect([code, err]).toEqual([
      0,
      'Campaign "leads" is not cancelled any more. It is paused and calls nobody yet: 2 leads wait; `npx callsheet resume leads`, then `npx callsheet run leads`.\n',
    ]);
    expect(await listed(at)).toMatchObject([{ state: 'paused', pauseReason: 'operator' }]);
    await at.run(['run', 'leads']);
    expect(service.dialled).toEqual([AL]);
    await at.run(['resume', 'leads']);
    expect((await at.run(['run', 'leads'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual([AL, BO, CY]);
    expect((await at.run(['status', 'leads'])).err).toContain(
      'took the cancelling back; the campaign is paused.',
    );
  });

  it('--undo is refused where one of them was called since, by whatever campaign', async () => {
    const { at, service } = await twoCampaigns();
    await at.run(['cancel', 'spring']);
    await at.run(['run', 'summer', ...quick, '--limit', '1']);
    const { code, err } = await at.run(['cancel', 'spring', '--undo']);
    expect(code).toBe(2);
    expect(err).toContain(
      `1 person still to be called in "spring" was called since it was cancelled: ${AL} by "summer" at `,
    );
    expect((await at.run(['run', 'spring'])).code).toBe(2);
    await at.run(['cancel', 'spring', '--lead', AL]);
    expect((await at.run(['cancel', 'spring', '--undo'])).code).toBe(0);
    await at.run(['cancel', 'summer']);
    await at.run(['resume', 'spring']);
    expect((await at.run(['run', 'spring', ...quick])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual([AL, BO, CY]);
  });

  it('--lead --undo lets one person wait again who was called by nobody', async () => {
    const { at, service } = await twoCampaigns();
    const bare = await at.run(['cancel', 'spring', PHONES[0] ?? '']);
    expect(bare.err).toContain(`did you mean --lead ${PHONES[0] ?? ''}?`);
    for (const phone of [AL, BO]) await at.run(['cancel', 'spring', '--lead', phone]);
    await at.run(['run', 'summer', ...quick, '--limit', '1']);
    const called = await at.run(['cancel', 'spring', '--lead', AL, '--undo']);
    expect([called.code, called.err]).toEqual([
      2,
      expect.stringContaining(`${AL} was called since (${AL} by "summer" at `),
    ]);
    const back = await at.run(['cancel', 'spring', '--lead', BO, '--undo']);
    expect([back.code, back.err]).toEqual([
      0,
      `${BO} waits in "spring" (draft) again; \`npx callsheet run spring\` calls.\n`,
    ]);
    const never = await at.run(['cancel', 'spring', '--lead', CY, '--undo']);
    expect(never.err).toContain('was not withdrawn from "spring": nothing to undo');
    const none = await at.run(['cancel', 'spring', '--lead', '+12125550199', '--undo']);
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('No lead of "spring"')]);
    await at.run(['cancel', 'summer']);
    expect((await at.run(['run', 'spring', ...quick])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual([AL, BO, CY]);
    const { out } = await at.run(['explain', '--calls', BO, '--campaign', 'spring']);
    expect(out).toContain(`operator took the withdrawal of a person back: ${BO}.`);
    const done = await at.run(['cancel', 'spring', '--lead', BO, '--undo', '--json']);
    expect(JSON.parse(done.out)).toEqual({ campaign: 'spring', phone: BO, outcome: 'done' });
  });

  it('--lead --undo says why a person is not called after all: what lists said meanwhile holds', async () => {
    const { at, service } = await aDesk();
    at.write('leads.csv', `phone,consent\n${[AL, BO, CY].map((one) => `${one},yes\n`).join('')}`);
    await at.run(['import', 'spring', 'leads.csv', ...AGENT, '--map', 'mayCall=consent']);
    for (const one of [AL, BO]) await at.run(['cancel', 'spring', '--lead', one]);
    at.write('later.csv', `phone,consent\n${BO},\n${CY},yes\n`);
    const synced = await at.run(['import', 'spring', 'later.csv', '--sync', '--yes']);
    expect(synced.err).toContain('2 people not on this list are in a call, in doubt or withdrawn');

    const undo = (one: string) => at.run(['cancel', 'spring', '--lead', one, '--undo']);
    expect((await undo(AL)).err).toBe(
      `${AL} is not withdrawn from "spring" any more; they have left the list.\n`,
    );
    expect((await undo(BO)).err).toMatch(/any more; a list keeps them out: .*later\.csv line 2: /u);

    expect((await at.run(['run', 'spring', ...quick])).code).toBe(0);
    expect(service.dialled).toEqual([CY]);
  });

  it('--undo lets nobody wait again who is suppressed, and says of others that they were not withdrawn', async () => {
    const { at } = await twoCampaigns();
    await at.run(['cancel', 'spring', '--lead', AL]);
    await at.run(['suppress', 'add', AL]);
    const held = await at.run(['cancel', 'spring', '--lead', AL, '--undo']);
    expect([held.code, held.err]).toEqual([2, expect.stringContaining('stays withdrawn')]);
    const { err } = await at.run(['cancel', 'spring', '--undo']);
    expect(err).toContain('is draft, not cancelled: nothing to undo');
    await at.run(['cancel', 'spring']);
    expect((await at.run(['cancel', 'spring'])).err).toContain('is cancelled already; ');
  });
});
