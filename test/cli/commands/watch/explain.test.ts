import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/runtime/clock.ts';
import { desk } from '../../../helpers/callsheet.ts';
import { leadTo, LIVE, livePhone } from '../../../helpers/services/live-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';
import { aDesk, json, RUN } from '../desk.ts';

const [FIRST, SECOND, THIRD] = ['+12125550100', '+12125550101', '+12125550102'];
const [FOURTH, FIFTH] = ['+12125550103', '+12125550104'];
/** New York: Sunday 18:00. */
const SUNDAY = Date.parse('2026-11-22T23:00:00Z');
const HOURS = `about: hours of our own
hours: { mon-sat: '09:00-20:00', sun: closed, source: our works council, grade: J, checked: 2026-11-23 }
caps: [{ calls: 1, per: 24h, source: our works council, grade: J, checked: 2026-11-23 }]
`;

describe('explain', () => {
  it('and its --calls find somebody in the named campaign, also where another one has a better match', async () => {
    const at = desk();
    at.write('spring.csv', `name,phone\nAnn Ash,${FIRST}\n`);
    at.write('autumn.csv', `name,phone\nAnn,${SECOND}\n`);
    for (const name of ['spring', 'autumn'])
      await at.run(['import', name, `${name}.csv`, '--service', 'simulated']);

    for (const more of [[], ['--calls']]) {
      const { code, out } = await at.run(['explain', 'Ann', '--campaign', 'spring', ...more]);
      expect(code).toBe(0);
      expect(out).toContain(FIRST);
      expect(out).not.toContain(SECOND);
    }
  });

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
    expect(flat(out)).toContain(
      'next: once a process calls this campaign: not before Mon 2026-11-23 12:00 America/New_York = Mon 09:00 there (polite)',
    );
    expect(flat(out.slice(0, out.indexOf('next:')))).toContain(
      'and: both of their time zones must allow the call: America/Los_Angeles, America/New_York',
    );
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
    expect(out).toContain('why:  it is over for them, answered after 1 call\n');
    expect(out).not.toContain('next:');
    expect(out).toMatch(/ {2}call 1 at .*, allowed: [^]* {2}call 1 ended: answered\n/);
  });

  it('says that a campaign is paused before anything that concerns the person alone', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    await at.run(['pause', 'leads']);
    const { out } = await at.run(['explain', THIRD]);
    expect(out).toContain(
      'campaign leads: waiting\n    why:  the campaign was paused by operator; `npx callsheet resume leads` ends that\n' +
        '    next: after `npx callsheet resume leads` and `npx callsheet run leads`: when it is their turn\n',
    );
    expect(out).toContain('operator paused the campaign.');
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
    const autumn = ['import', 'autumn', 'leads.csv', '--agent', 'ag_1', '--again'];
    await at.run([...autumn, '--timezone', 'Asia/Tokyo']);
    const { out } = await at.run(['explain', THIRD]);
    expect(out).toContain('campaign leads: waiting');
    expect(out.replaceAll(/\s+/g, ' ')).toContain('no process calls this campaign now');
    expect(out).toContain('campaign autumn: waiting\n    why:  the campaign was not started');
    expect(out).toContain('next: after `npx callsheet run autumn`: when it is their turn');
    expect(out).not.toContain('Story in campaign');
    expect(out).toContain(`What has happened in one of them: \`npx callsheet explain ${THIRD}`);
    const all = await at.run(['explain', THIRD, '--all']);
    expect(all.out).toContain('Story in campaign autumn (times in Asia/Tokyo):\n');
    expect(all.out).toContain('Story in campaign leads (times in America/New_York):\n');
  });

  it('takes a few digits for the line of a list, also of a row that was not taken', async () => {
    const { at } = await aDesk();
    at.write('leads.csv', `name,phone\nAl 4,${FIRST}\nBo,${SECOND}\nFay,+1 212 155 0101\n`);
    await at.run([...RUN, '--limit', '1']);

    expect((await at.run(['explain', '3'])).out).toContain(`${SECOND}, line 3 of leads.csv`);
    const refused = await at.run(['explain', '4']);
    expect(refused.code).toBe(2);
    expect(refused.err.replaceAll(/\s+/g, ' ')).toContain('Line 4 of its list was not taken: ');
  });

  it('is pointed to by show and status while somebody waits', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    const why = `Why ${THIRD} is not called now: \`npx callsheet explain ${THIRD}\`.`;
    expect((await at.run(['explain', '--calls', THIRD])).err).toContain(why);
    expect((await at.run(['explain', '--calls', FIRST])).err).not.toContain('explain');
    const waits = 'Why somebody who waits is not called now: `npx callsheet explain NUMBER`.';
    expect((await at.run(['status', 'leads'])).err).toContain(waits);
    await at.run(['run', 'leads', '--set', 'polling.floor=20ms']);
    expect((await at.run(['status', 'leads'])).err).not.toContain(waits);
  });

  it('explains one person at a time', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    at.write('two.csv', `name,phone\nAnn One,${FOURTH}\nAnn Two,${FIFTH}\n`);
    await at.run(['import', 'leads', 'two.csv']);
    const both = await at.run(['explain', 'ann']);
    expect(both.code).toBe(2);
    expect(both.err).toContain(
      `"ann" is 2 people: ${FOURTH}, ${FIFTH}; one is explained at a time.\n  next: \`npx callsheet explain ${FOURTH}\``,
    );
    const nobody = await at.run(['explain', '+12125550199']);
    expect(nobody.code).toBe(2);
    expect(nobody.err).toContain('+12125550199 is on no list and was never called, in ');
    expect(nobody.err).not.toContain('suppressed');
    await at.run(['suppress', 'add', '+12125550199']);
    const suppressed = await at.run(['explain', '+12125550199']);
    expect(flat(suppressed.err)).toContain('It is suppressed: ');
  });

  it('says where a number is that was only in a row that was not taken', async () => {
    const { at } = await aDesk();
    at.write('leads.csv', `name,phone\nAl,${FIRST}\nBo,${SECOND}\nFay,+1 212 155 0101\n`);
    await at.run([...RUN, '--limit', '1']);

    const { err, code } = await at.run(['explain', '+12121550101']);

    expect(code).toBe(2);
    expect(flat(err)).toContain('+12121550101');
    expect(flat(err)).toMatch(
      /Line 4 of its list has it and was not taken: .+ \(kept in \S+rejects\/leads-\S+\.csv\)\./,
    );
    const other = (await at.run(['explain', '+12125550199'])).err;
    expect(flat(other)).toMatch(
      /Rows that imports did not take are in \S+rejects; no row there has/,
    );
  });

  it('says that a number is the second one of a person', async () => {
    const { at } = await aDesk();
    at.write('leads.csv', `name,phone,mobile\nAl,${FIRST},${SECOND}\nBo,${THIRD},\n`);
    await at.run([...RUN, '--limit', '1', '--map', 'phone=phone', '--map', 'phone=mobile']);

    const { out, err } = await at.run(['explain', SECOND]);

    expect(err).not.toContain('Nobody');
    expect(out).toMatch(
      `${SECOND} is the second number of:\n${FIRST}, line 2 of leads.csv  (time in`,
    );
    expect((await at.run(['explain', FIRST])).out).not.toContain('number of:');
  });

  it('answers for live campaigns first, and for each that is over in one line', async () => {
    const { at } = await aDesk();
    await at.run(RUN);
    await at.run(['import', 'autumn', 'leads.csv', '--agent', 'ag_1', '--again']);

    const { out } = await at.run(['explain', FIRST]);

    const [, answer, why, next, ended, gap] = out.split('\n');
    expect(answer).toBe('  campaign autumn: waiting');
    expect(why).toContain('    why:  the campaign was not started');
    expect(next).toContain('    next: after');
    expect(ended).toBe('  campaign leads: it is over for them, answered after 1 call');
    expect(gap).toBe('');
    expect(out).not.toContain('Story in campaign leads');
    expect((await at.run(['explain', FIRST, '--all'])).out).toContain('Story in campaign leads');
    const one = (await at.run(['explain', FIRST, '--campaign', 'leads'])).out;
    expect(one).toContain('campaign leads: answered\n');
    expect(one).toContain('call 1 ended: answered');
  });

  it('keeps the answer on the screen when the story is long and the campaigns are many', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    for (let hours = 2; hours < 14; hours++) {
      await at.run(['set', 'leads', `retry.gap=${hours}h`]);
      await at.run(['pause', 'leads']);
      await at.run(['resume', 'leads']);
    }

    const short = (await at.run(['explain', THIRD])).out.split('\n');
    const long = (await at.run(['explain', THIRD, '--all'])).out.split('\n');

    expect(short.length).toBeLessThanOrEqual(24);
    expect(short.join('\n')).toMatch(
      /\n {2}… \d+ earlier: `npx callsheet explain \+12125550102 --campaign leads --all`\n/,
    );
    expect(long.length).toBeGreaterThan(24 + 4);
    expect(Math.max(...[...short, ...long].map(({ length }) => length))).toBeLessThanOrEqual(100);
    const [story] = (await json(at, ['explain', THIRD])) as [{ campaigns: [{ story: object[] }] }];
    expect(story.campaigns[0].story.length).toBeGreaterThan(24);
    for (const name of ['spring', 'summer', 'autumn', 'winter'])
      await at.run(['import', name, 'leads.csv', '--agent', 'ag_1', '--again']);
    const { out } = await at.run(['explain', THIRD]);
    expect(out.split('\n').length).toBeLessThanOrEqual(40);
  });
});

/** The text without its line breaks and indents. */
function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
