import { describe, expect, it } from 'vitest';
import { wantsColour } from '../../../src/cli/terminal/terminal.ts';
import { aDesk, RUN } from '../commands/desk.ts';

const TERMINAL = { stdinIsTty: true, stderrIsTty: true };
const ESCAPE = '\u001b[';

describe('colours', () => {
  it.each([
    [{ TERM: 'xterm' }, true, true],
    [{ TERM: 'xterm' }, false, false],
    [{}, true, false],
    [{ TERM: 'dumb' }, true, false],
    [{ TERM: 'xterm', NO_COLOR: '1' }, true, false],
    [{ TERM: 'xterm', NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ TERM: 'xterm', FORCE_COLOR: '0' }, true, false],
    [{ COLORTERM: 'truecolor' }, true, true],
  ])('with %j and a terminal %s: %s', (env, stderrIsTty, wanted) => {
    expect(wantsColour({ env, stderrIsTty })).toBe(wanted);
  });

  it('mark errors, rehearsals and a campaign that is done, on stderr only', async () => {
    const { at } = await aDesk();
    const env = { ...at.env, TERM: 'xterm' };
    const wrong = await at.run(['run', 'leads.csv', '--concurrency', 'x'], { ...TERMINAL, env });
    const [first = ''] = wrong.err.split('\n');
    expect(first.startsWith(`${ESCAPE}31mcallsheet: `) && first.endsWith(`${ESCAPE}39m`)).toBe(
      true,
    );
    const dry = [...RUN.slice(0, 2), '--service', 'simulated', '--dry-run'];
    const { err } = await at.run(dry, { ...TERMINAL, env });
    expect(err).toContain(`${ESCAPE}2mREHEARSAL${ESCAPE}22m (embedded service`);
    const { err: done } = await at.run(RUN, { ...TERMINAL, env });
    expect(done).toContain(`${ESCAPE}32mEvery lead is final.${ESCAPE}39m\n`);
    const listed = await at.run(['list'], { env: { FORCE_COLOR: '1' } });
    expect(listed.out).toContain('completed');
    expect(listed.out).not.toContain(ESCAPE);
  });

  it('leave JSON alone, also that of an error', async () => {
    const { at } = await aDesk();
    const env = { FORCE_COLOR: '1' };
    const { err } = await at.run(['status', 'none', '--json'], { env });
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'CAMPAIGN_UNKNOWN' } });
  });

  it('change no width: a message breaks where it breaks without them', async () => {
    const { at } = await aDesk();
    const argv = ['status', 'a campaign with a long name that nobody has ever made anywhere'];
    const plain = await at.run(argv, TERMINAL);
    const coloured = await at.run(argv, { ...TERMINAL, env: { ...at.env, TERM: 'xterm' } });
    expect(coloured.err).toContain(ESCAPE);
    // eslint-disable-next-line no-control-regex -- The escape is what is looked for.
    expect(coloured.err.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain.err);
  });
});
