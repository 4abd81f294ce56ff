import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/runtime/clock.ts';
import { desk } from '../../../helpers/callsheet.ts';
import { leadTo, LIVE, livePhone } from '../../../helpers/services/live-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';
import { aDesk, RUN } from '../desk.ts';

const [FIRST, SECOND, THIRD] = ['+12125550100', '+12125550101', '+12125550102'];
/** New York: Sunday 18:00. */
const SUNDAY = Date.parse('2026-11-22T23:00:00Z');
const HOURS = `about: hours of our own
hours: { mon-sat: '09:00-20:00', sun: closed, source: our works council, grade: J, checked: 2026-11-23 }
caps: [{ calls: 1, per: 24h, source: our works council, grade: J, checked: 2026-11-23 }]
`;

describe('explain', () => {
  it('says first why a person waits for calling hours, and when they are called', async () => {
    const at = desk({ VOICE_API_KEY: 'k' });
    const service = await voiceServer();
    at.write('polite.yaml', HOURS);
    at.write('leads.csv', `Name,Mobile,Time Zone\nAl,${livePhone(0)},Pacific\n`);
    const clock = { ...systemClock, now: () => SUNDAY };
    const io = { clock, connect: leadTo({ [LIVE]: service.url }), typed: 'yes\n' };
    const run = ['run', 'leads.csv', '--agent', 'ag_1', '--service-url', LIVE, '--db', 'c.db'];
    await at.run([...run, '--timezone', 'America/New_York', '--rules', 'polite.yaml'], io);

    const { out, code } = await at.run(['explain', livePhone(0), '--db', 'c.db'], io);

    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines.slice(0, 7).join(' ').replaceAll(/\s+/g, ' ')).toContain(
      'why: polite: outside Mon-Sat 09:00-20:00, Sun closed (it is Sun',
    );
    expect(out.replaceAll(/\s+/g, ' ')).toContain('next: Mon 2026-11-23 ');
    expect(out).toContain('line 2 of leads.csv: "Mobile" says');
    expect(out).toContain('time zone by the list’s time zone Pacific: America/Los_Angeles');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines.length).toBeLessThan(40);
    expect(service.dialled).toEqual([]);
    const [story] = JSON.parse(
      (await at.run(['explain', livePhone(0), '--db', 'c.db', '--json'], io)).out,
    ) as [{ campaigns: object[] }];
    expect(story.campaigns[0]).toMatchObject({
      state: 'waiting',
      next: { at: '2026-11-23T12:00:00-05:00', holds: [{ by: 'polite' }] },
      number: { column: 'Mobile' },
    });
  });

  it('tells of a call, with what it came to', async () => {
    const { at } = await aDesk();
    await at.run(RUN);
    const { out } = await at.run(['explain', FIRST]);
    expect(out).toContain('campaign leads: answered');
    expect(out).toContain('why: their result is answered (after 1 call)');
    expect(out).toMatch(/ {2}call 1 at .*\n.* {2}call 1 ended: answered\n/);
  });

  it('says that a campaign is paused before anything that concerns the person alone', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    await at.run(['pause', 'leads']);
    const { out } = await at.run(['explain', THIRD]);
    expect(out).toContain('campaign leads: waiting\n    why: the campaign is paused: ');
    expect(out).toContain('campaign.paused');
  });

  it('says who is suppressed or withdrawn, and who did it', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    await at.run(['suppress', 'add', SECOND, '--note', 'asked by mail']);
    await at.run(['cancel', 'leads', '--lead', THIRD]);
    const suppressed = (await at.run(['explain', SECOND])).out;
    expect(suppressed).toContain('  suppressed: by the operator on ');
    expect(suppressed).toContain('campaign leads: suppressed');
    expect(suppressed).toMatch(/suppressed by \w+: asked by mail/);
    expect((await at.run(['explain', THIRD])).out).toContain('campaign leads: cancelled');
  });

  it('names no process where none calls, and tells of every campaign of the person', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    await at.run(['import', 'autumn', 'leads.csv', '--agent', 'ag_1', '--again']);
    const { out } = await at.run(['explain', THIRD]);
    expect(out).toContain('campaign leads: waiting');
    expect(out.replaceAll(/\s+/g, ' ')).toContain('no process calls this campaign now');
    expect(out).toContain('campaign autumn: waiting\n    why: the campaign was not started');
    expect(out).toContain('autumn: joined as line');
  });

  it('explains one person at a time', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    const several = await at.run(['explain', '555010']);
    expect(several.code).toBe(2);
    expect(several.err).toMatch(/"555010" is \d people|Nobody was found/);
    const nobody = await at.run(['explain', '+12125550199']);
    expect(nobody.code).toBe(2);
    expect(nobody.err).toContain('Nobody was found for "+12125550199"');
  });
});
