import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';

const PHONES = Array.from({ length: 6 }, (_, i) => `+1212555010${i}`);
const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms', '--db', 'c.db'];
const DOCTOR = ['doctor', '--db', 'c.db'];

/** One call, of which there is a copy, and two more. */
async function calledThree() {
  const service = await voiceServer();
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  await at.run([...RUN, '--limit', '1']);
  copyFileSync(at.path('c.db'), at.path('old.db'));
  await at.run([...RUN, '--limit', '2']);
  const damage = (from: string | RegExp, to: string) => {
    const journal = at.read('c.db.dials');
    expect(journal).toMatch(from);
    writeFileSync(at.path('c.db.dials'), journal.replace(from, to));
  };
  const setBack = () => {
    copyFileSync(at.path('old.db'), at.path('c.db'));
  };
  return { at, service, damage, setBack };
}

describe('a damaged line of the dial journal', () => {
  it('refuses every call, with its place; doctor shows it, mends it, and the run goes on', async () => {
    const { at, service, damage } = await calledThree();
    damage('"phone":"+12125550101"', '"phone":"+12125550191"');

    for (const argv of [RUN, DOCTOR]) {
      const refused = await at.run(argv);
      expect(refused.code).toBe(5);
      expect(refused.out + refused.err).toMatch(
        /Line 5 of the dial journal \S+c\.db\.dials \(after attempt a1 of 20\S+ and before attempt a3 of 20\S+\) is\s+damaged/,
      );
      expect(refused.out + refused.err).toMatch(/doctor --db \S+c\.db --mend-journal/);
    }
    expect(service.dialled).toHaveLength(3);

    const mended = await at.run([...DOCTOR, '--mend-journal']);
    expect(mended.code).toBe(0);
    expect(mended.out).toMatch(
      /1 damaged line of \S+c\.db\.dials mended, concerning nobody who is waiting to be called/,
    );
    const again = await at.run([...DOCTOR, '--mend-journal']);
    expect(again.out).toMatch(/no line of \S+c\.db\.dials is damaged, so nothing was mended/);
    expect((await at.run(RUN)).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });

  it.each([
    ['number', '"phone":"+12125550101"', '"phone":"+12125550191"'],
    ['key', /"key":"..(?=[^"]*","ordinal":1,"phone":"\+12125550101")/, '"key":"__'],
    ['last sign', /\}(?=\n \n[^\n]*\+12125550102)/, '|'],
    ['line end', /\n(?= \n[^\n]*\+12125550102)/, 'x'],
  ])(
    '(its %s) tells of a call that the database has forgotten: that person is not called again',
    async (_, from, to) => {
      const { at, service, damage, setBack } = await calledThree();
      damage(from, to);
      setBack();

      const refused = await at.run(DOCTOR);
      expect(refused.code).toBe(5);
      expect(refused.out.replaceAll(/\s+/g, ' ')).toContain(
        '1 call of the journal that it did not know came back as unknown',
      );
      expect((await at.run(RUN)).code).toBe(5);
      expect(service.dialled).toHaveLength(3);
      const mended = await at.run([...DOCTOR, '--mend-journal']);
      expect(mended.code).toBe(0);
      expect(mended.out).toMatch(
        /1 damaged line of \S+c\.db\.dials mended, perhaps about 1 person waiting, who will not be called: `npx callsheet resolve --db c\.db` lists them/,
      );
      expect((await at.run(RUN)).code).toBe(5);

      expect(service.dialled.toSorted()).toEqual(PHONES);
    },
  );

  it('that could name anybody is not mended, and nobody is called', async () => {
    const { at, service, damage, setBack } = await calledThree();
    damage(/\n[^\n]*\+12125550101[^\n]*\n/, `\n${'#'.repeat(200)}\n`);
    setBack();

    const refused = await at.run([...DOCTOR, '--mend-journal']);
    expect(refused.code).toBe(5);
    expect((refused.out + refused.err).replaceAll(/\s+/g, ' ')).toContain('anybody who is waiting');
    expect((await at.run(RUN)).code).toBe(5);
    expect(service.dialled).toHaveLength(3);
  });

  it('that is torn at the end is nothing to worry about', async () => {
    const { at, service } = await calledThree();
    const journal = readFileSync(at.path('c.db.dials'));
    writeFileSync(
      at.path('c.db.dials'),
      Buffer.concat([journal, Buffer.from('\n1234abcd {"seq":4')]),
    );

    expect((await at.run(RUN)).code).toBe(0);
    expect((await at.run(DOCTOR)).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });
});
