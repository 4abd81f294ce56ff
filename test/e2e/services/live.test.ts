import { describe, expect, it } from 'vitest';
import type { Io } from '../../../src/cli/io.ts';
import { desk, rowsOf, type Desk } from '../../helpers/callsheet.ts';
import { LIVE, leadTo, livePhone, OTHER_LIVE } from '../../helpers/services/live-service.ts';
import { gate, voiceServer, type VoiceServer } from '../../helpers/services/voice-server.ts';

const PHONES = [0, 1, 2].map(livePhone);
const LIST = `phone\n${PHONES.join('\n')}\n`;
const RUN = [
  ...['run', 'leads.csv', '--agent', 'ag_1', '--service-url', LIVE, '--rules', 'always'],
  ...['--set', 'polling.floor=20ms'],
];

/** A desk from which the live address leads to a server of this test. */
const liveDesk = async (): Promise<{ at: Desk; service: VoiceServer; connect: Io['connect'] }> => {
  const service = await voiceServer();
  const at = desk({ VOICE_API_KEY: 'k' });
  at.write('leads.csv', LIST);
  return { at, service, connect: leadTo({ [LIVE]: service.url }) };
};

describe('a live service', () => {
  it('is dialled after a typed yes, which follows the plan in one block', async () => {
    const { at, service, connect } = await liveDesk();
    const { code, err: lines } = await at.run(RUN, { typed: 'yes\n', connect });
    expect(code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
    const err = lines.replaceAll(/\s+/g, ' ');
    const db = at.path('data/callsheet.db');
    const plan = `LIVE ${LIVE} agent Renewals (ag_1): 3 to call now; concurrency 5; rules always; database ${db} `;
    expect(err).toContain(plan);
    expect(err).toContain('Rules "always": no calling hours and no caps apply');
    expect(err).toContain('This calls 3 real people. Type yes to start: ');
    expect(err.indexOf(plan)).toBeLessThan(err.indexOf('Type yes'));
    const shown = await at.run(['status', 'leads', '--json']);
    const { history } = JSON.parse(shown.out) as { history: { what: string; who: string }[] };
    expect(history.map(({ what }) => what)).toEqual([
      'campaign.created',
      'campaign.started',
      'campaign.completed',
    ]);
    expect(history[1]).toMatchObject({
      who: 'operator',
      detail: { live: true, service: LIVE, settings: { concurrency: 5 } },
    });
  });

  it.each(['no\n', '\n', 'y\n', ''])(
    'is not dialled after %j, and nothing is made',
    async (typed) => {
      const { at, service, connect } = await liveDesk();
      const { code, err } = await at.run(RUN, { typed, connect });
      expect(code).toBe(2);
      expect(err).toContain('Not confirmed: nobody was called, nothing was changed.');
      expect(service.dialled).toEqual([]);
      expect(at.has('data/callsheet.db')).toBe(false);
    },
  );

  it('is not dialled off a terminal without --yes', async () => {
    const { at, service, connect } = await liveDesk();
    const argv = [...RUN, '--new-db', '--db', 'calls.db'];
    const refused = await at.run(argv, { connect });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('there is no terminal to ask on; nobody was called');
    expect(refused.err).toContain('  next: run it on a terminal, or give --yes\n');
    expect(service.dialled).toEqual([]);
    expect(at.has('calls.db')).toBe(false);
    const confirmed = await at.run([...argv, '--yes'], { connect });
    expect(confirmed.code).toBe(0);
    expect(confirmed.err).not.toContain('Type yes');
    expect(service.dialled).toHaveLength(3);
  });

  it('is not asked about when nobody waits to be called', async () => {
    const { at, service, connect } = await liveDesk();
    await at.run([...RUN, '--yes', '--new-db', '--db', 'calls.db'], { connect });
    const again = await at.run(['run', 'leads.csv', '--db', 'calls.db'], { connect });
    expect(again.code).toBe(0);
    expect(service.dialled).toHaveLength(3);
  });

  it('has the rules "local" unless others are chosen, which it remembers', async () => {
    const { at, service, connect } = await liveDesk();
    const without = RUN.filter((word) => word !== '--rules' && word !== 'always');
    const shown = await at.run([...without, '--dry-run', '--new-db', '--db', 'calls.db'], {
      connect,
    });
    expect(shown.err).toContain('rules local');
    expect(service.dialled).toEqual([]);
    const first = await at.run([...RUN, '--yes', '--limit', '1', '--new-db', '--db', 'calls.db'], {
      connect,
    });
    expect(first.code).toBe(3);
    const next = await at.run(['run', 'leads', '--yes', '--new-db', '--db', 'calls.db'], {
      connect,
    });
    expect(next.code).toBe(0);
    expect(service.dialled).toHaveLength(3);
  });

  it('does not take over that a loopback service had no rules by default', async () => {
    const { at, service, connect } = await liveDesk();
    const rehearse = ['run', 'leads.csv', '--agent', 'ag_1', '--service-url', service.url];
    const limited = await at.run([...rehearse, '--limit', '1', '--set', 'polling.floor=20ms']);
    expect(limited.code).toBe(3);
    const move = ['run', 'leads', '--service-url', LIVE, '--yes'];
    const shown = await at.run([...move, '--dry-run'], { connect });
    expect(shown.err).toContain('rules local');
    expect(service.dialled).toHaveLength(1);
    expect((await at.run([...move, '--rules', 'always'], { connect })).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });

  it('is never given a number kept for fiction', async () => {
    const { at, service, connect } = await liveDesk();
    at.write('leads.csv', `phone\n+12125550100\n${PHONES[0] ?? ''}\n`);
    const { err } = await at.run([...RUN, '--yes', '--new-db', '--db', 'calls.db'], { connect });
    expect(err).toContain('line 2: "+12125550100" belongs to a range kept for fiction');
    expect(service.dialled).toEqual(PHONES.slice(0, 1));
    const call = ['call', '+12125550100', '--agent', 'ag_1', '--service-url', LIVE];
    const refused = await at.run([...call, '--rules', 'always', '--yes'], { connect });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('rehearse with --service simulated');
  });

  it.each([
    ['of a draft', 'is started'],
    ['of a paused campaign', 'is resumed'],
  ])('is asked for by resume %s as well', async (which, done) => {
    const { at, connect } = await liveDesk();
    const flags = [...RUN.slice(2), '--new-db', '--db', 'calls.db'];
    const imported = await at.run(['import', 'spring', 'leads.csv', ...flags], { connect });
    expect(imported.err).toContain('Campaign "spring" (draft): 3 leads wait;');
    if (which !== 'of a draft') await at.run(['pause', 'spring', '--db', 'calls.db']);
    const argv = ['resume', 'spring', '--db', 'calls.db'];
    const refused = await at.run(argv, { typed: 'no\n', connect });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`LIVE ${LIVE}`);
    const agreed = await at.run(argv, { typed: 'yes\n', connect });
    expect(agreed.code).toBe(0);
    expect(agreed.err).toContain(done);
  });

  it('is asked for by call as well', async () => {
    const { at, service, connect } = await liveDesk();
    const argv = [
      ...['call', livePhone(9), '--agent', 'ag_1', '--service-url', LIVE, '--rules', 'always'],
      ...['--set', 'polling.floor=20ms'],
    ];
    const refused = await at.run(argv, { typed: 'no\n', connect });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`LIVE ${LIVE} agent Renewals (ag_1): 1 call to ${livePhone(9)};`);
    expect(at.has('data/callsheet.db')).toBe(false);
    const agreed = await at.run(argv, { typed: 'yes\n', connect });
    expect(agreed.code).toBe(0);
    expect(agreed.err).toContain('This calls 1 real person. Type yes to start:');
    expect(service.dialled).toEqual([livePhone(9)]);
    expect(agreed.out).toContain('duration: 12.5 s\nsentiment: positive\n');
  });
});

describe('a missing database', () => {
  it('of a live service off a terminal is refused with its absolute path, and not made', async () => {
    const { at, service, connect } = await liveDesk();
    const { code, err } = await at.run([...RUN, '--yes'], { connect });
    expect(code).toBe(2);
    expect(err).toContain(
      `There is no database at ${at.path('data/callsheet.db')}: is this the right folder?`,
    );
    expect(err).toContain('--db PATH');
    expect(at.has('data')).toBe(false);
    expect(service.asked).toEqual([]);
  });

  it.each([
    ['--new-db says so', ['--new-db', '--db', 'mine.db'], {}, 'mine.db'],
    ['--new-db and CALLSHEET_DB say so', ['--new-db'], { CALLSHEET_DB: 'mine.db' }, 'mine.db'],
  ])('is made when %s', async (_, flags, env, name) => {
    const { at, connect } = await liveDesk();
    const given = { env: { ...at.env, ...env }, connect };
    expect((await at.run([...RUN, '--yes', ...flags], given)).code).toBe(0);
    expect(at.has(name)).toBe(true);
  });

  it('is made by a yes that is typed, never by --yes alone, whoever names its path', async () => {
    const { at, service, connect } = await liveDesk();
    for (const argv of [
      [...RUN, '--yes'],
      [...RUN, '--yes', '--db', 'data/calsheet.db'],
    ]) {
      for (const given of [{ connect }, { typed: '', connect }]) {
        const refused = await at.run(argv, given);
        expect(refused.code).toBe(2);
        expect(refused.err).toContain('--new-db');
      }
    }
    expect(at.has('data')).toBe(false);
    expect(service.dialled).toEqual([]);
    expect((await at.run(RUN, { typed: 'yes\n', connect })).code).toBe(0);
    const typo = await at.run([...RUN, '--yes', '--db', 'data/calsheet.db'], { connect });
    expect(typo.err.replaceAll(/\s+/g, ' ')).toContain(
      `(${at.path('data/callsheet.db')} is there)`,
    );
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });

  it('is made for a loopback service, and apart for the embedded one', async () => {
    const { at, service } = await liveDesk();
    const run = ['run', 'leads.csv', '--set', 'polling.floor=20ms'];
    const loopback = await at.run([...run, '--agent', 'ag_1', '--service-url', service.url]);
    expect(loopback.code).toBe(0);
    expect(loopback.err).toContain(`LOOPBACK ${service.url}`);
    expect(at.has('data/callsheet.db')).toBe(true);
    expect(at.has('data/simulated.db')).toBe(false);
    const rehearsal = ['leads', 'leads.csv', '--service', 'simulated'];
    expect((await at.run(['import', ...rehearsal])).code).toBe(0);
    expect(at.has('data/simulated.db')).toBe(true);
    const started = await at.run(['resume', 'leads', '--service', 'simulated']);
    expect(started.err).toContain('REHEARSAL (embedded service, nobody is called)');
    expect(started.code).toBe(0);
  });
});

describe('the key', () => {
  it('of the environment is not sent to the old address of a campaign', async () => {
    const { at, service, connect } = await liveDesk();
    await at.run([...RUN, '--limit', '1', '--yes', '--new-db', '--db', 'calls.db'], { connect });
    const asked = service.asked.length;
    const env = { ...at.env, VOICE_API_URL: OTHER_LIVE };
    const argv = ['run', 'leads', '--yes', '--new-db', '--db', 'calls.db'];
    const refused = await at.run(argv, { env, connect });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(
      `Service ${LIVE} is not asked: VOICE_API_KEY belongs to ${OTHER_LIVE}`,
    );
    expect(refused.err).toContain(`--service-url ${OTHER_LIVE}`);
    expect(service.asked).toHaveLength(asked);
  });

  it('of the new service is not sent to the old one, at which calls are still open', async () => {
    const { at, service: old } = await liveDesk();
    const fresh = await voiceServer();
    const connect = leadTo({ [LIVE]: old.url, [OTHER_LIVE]: fresh.url });
    old.behave({ analytics: () => ({ status: 409, body: {} }) });
    const open = gate();
    const { io, ended } = at.begin(
      [...RUN, '--limit', '1', '--yes', '--new-db', '--db', 'calls.db'],
      {
        connect: async (options) => {
          const service = await connect(options);
          return {
            ...service,
            readAnalytics: (id) => (void open.pass(), service.readAnalytics(id)),
          };
        },
      },
    );
    await open.waiting(1);
    io.signal();
    io.signal();
    expect((await ended).code).toBe(130);
    const argv = [
      'run',
      'leads',
      '--service-url',
      OTHER_LIVE,
      '--yes',
      '--new-db',
      '--db',
      'calls.db',
    ];
    const moved = await at.run(argv, { connect, env: { VOICE_API_KEY: 'new-key' } });
    expect(moved.err).toContain(`service ${LIVE} -> ${OTHER_LIVE}; calls that are open at ${LIVE}`);
    expect(moved.err).toContain(
      `Calls placed at ${LIVE} cannot be read now: Service ${LIVE} is not asked`,
    );
    expect(new Set(old.asked.map(({ key }) => key))).toEqual(new Set(['Bearer k']));
    expect(fresh.dialled).toHaveLength(2);
    expect(moved.code).toBe(3);
    const rows = rowsOf(at.read('results/leads.csv'));
    expect(rows).toHaveLength(3);
  });
});
