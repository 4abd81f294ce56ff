import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';
import { START } from '../../helpers/clock.ts';

async function aDesk() {
  const service = await simulatedService({ timeScale: 600 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  const run = (argv: string[]) => at.run(argv, { clock: hastyClock(20) });
  mkdirSync(at.path('in'));
  const put = (name: string, text: string) => {
    const path = at.write(`in/${name}`, text);
    at.write(`in/${name}.done`, '');
    utimesSync(path, START / 1_000, START / 1_000);
  };
  return { at, run, service, put };
}

describe('callsheet run with a folder', () => {
  it('takes its lists and calls their people; the next run calls the new ones alone', async () => {
    const { at, run, service, put } = await aDesk();
    put('a.csv', `phone\n${aPhone(0)}\n`);
    put('bad.csv', 'name\nAl\n');

    const first = await run(['run', './in', '--agent', AGENT, '--yes']);
    expect(first.err).toContain('bad.csv is refused');
    expect(service.ledger()).toHaveLength(1);
    put('b.csv', `phone\n${aPhone(0)}\n${aPhone(1)}\n`);
    await run(['run', 'in', '--yes']);

    expect(service.ledger()).toHaveLength(2);
    expect(readdirSync(at.path('in')).sort()).toEqual(['refused', 'taken']);
  });

  it('is told that nothing is there, and what to do', async () => {
    const { at, run, service } = await aDesk();
    const { err } = await run(['run', './in', '--agent', AGENT, '--yes']);
    expect(err).toContain(`No list is in ${at.path('in')} yet, so nobody can be called`);
    expect(err).toContain('run in` again, or let `');
    expect(service.ledger()).toEqual([]);
  });

  it('is told what check would take, and check writes nothing', async () => {
    const { at, put } = await aDesk();
    put('a.csv', `phone\n${aPhone(0)}\n`);
    put('bad.csv', 'name\nAl\n');

    const { err, out } = await at.run(['check', './in', '--agent', AGENT]);

    expect(out + err).toMatch(/a\.csv would be taken: 1 row, 1 good/);
    expect(out + err).toMatch(/bad\.csv would be refused: .*no phone column/);
    const names = ['a.csv', 'a.csv.done', 'bad.csv', 'bad.csv.done'];
    expect(readdirSync(at.path('in')).sort()).toEqual(names);
    expect(existsSync(at.path('data'))).toBe(false);
  });

  it('is counted by check and rehearse before its first import as the run then calls: a number of two lists once', async () => {
    const { at, run, put, service } = await aDesk();
    put('a.csv', `phone\n${aPhone(0)}\n${aPhone(1)}\n`);
    put('b.csv', `phone\n${aPhone(1)}\n${aPhone(2)}\n`);
    put('bad.csv', 'name\nAl\n');
    const how = ['./in', '--agent', AGENT];

    const checked = await at.run(['check', ...how, '--json']);
    const rehearsed = await at.run(['check', '--rehearse', ...how, '--json']);
    await run(['run', ...how, '--yes', '--new-db']);

    expect(JSON.parse(checked.out)).toMatchObject({
      forecast: { people: 3, calls: { middle: 3 } },
    });
    expect(JSON.parse(rehearsed.out)).toMatchObject({ people: 3 });
    expect(service.ledger()).toHaveLength(3);
  });

  it('is what a campaign file names, and serve takes what is put there while it is called', async () => {
    const { at, service, put } = await aDesk();
    at.write('spring.yaml', `leads: in\nwatch: true\nagent: ${AGENT}\n`);
    expect(await at.run(['import', 'spring', 'spring.yaml'])).toMatchObject({ code: 0 });
    expect(await at.run(['resume', 'spring', '--yes'])).toMatchObject({ code: 0 });
    put('a.csv', `phone\n${aPhone(0)}\n`);
    const { io, ended } = at.begin(['serve', '--port', '0', '--service-url', service.url], {
      clock: hastyClock(60),
    });
    await io.written('1 added');
    put('b.csv', `phone\n${aPhone(1)}\n`);
    await io.written('b.csv: 1 row, 1 added');
    io.signal();
    await ended;

    expect(readdirSync(at.path('in/taken'))).toEqual(expect.arrayContaining(['a.csv', 'b.csv']));
  });
});
