import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { desk, type Desk } from '../../helpers/callsheet.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { shareOf } from '../../helpers/properties.ts';
import { aDesk, RUN } from '../commands/desk.ts';

/*
 * What is said of commands that are refused: place, value, what is allowed and the next step. The sentences stand in
 * refusals.txt, where a person reviews them; `npx vitest run --config .config/vitest.config.ts test/cli/words -u` writes it.
 */

const LIST =
  'Name,Phone,Email\nAnn,+12125550150,ann@example.com\nBen,+12125550151,ben@example.com\n';
const SIMULATED = '--service simulated --agent ag_demo';

interface Scene {
  make: () => Desk | Promise<Desk>;
  /** One a line; words with blanks stand in quotes. */
  commands: string;
}

/** Lists, folders, and a link that leads to itself; no database. */
function lists(): Desk {
  const at = desk();
  at.write('leads.csv', LIST);
  at.write('two.csv', 'A,A,Name\n+12125550150,+12125550160,Ann\n+12125550151,+12125550161,Ben\n');
  at.write(
    'odd.csv',
    'Name,Phone\nAnn,+12125550150\nBen,+1 800 555 0150\nCem,+1 212 555 0150 (only mornings)\nDan,+99 12\nEve,mail\n',
  );
  for (const folder of ['folder', 'bare', 'campaigns']) mkdirSync(at.path(folder));
  at.write('campaigns/may.yaml', 'leads: ../leads.csv\n');
  at.write('folder/may.csv', LIST);
  at.write('folder/wrong.yaml', 'name: june\nleads: mai.csv\n');
  at.write('bare.yaml', 'concurrency: 3\n');
  at.write('nosuch.yaml', 'leads: leads.csv\nservice: nosuch\nagent: a\n');
  at.write('no-yaml.yaml', 'main\n  url: a: b\n[{\nmain: {\nmain: x\n');
  symlinkSync('loop.csv', at.path('loop.csv'));
  return at;
}

/** Two databases, of which one is a backup, and things that are none. */
async function databases(): Promise<Desk> {
  const at = desk();
  await at.run(['suppress', 'add', '+12125550199', '--db', 'first.db']);
  await at.run(['backup', 'good.db', '--db', 'first.db']);
  at.write('leads.csv', LIST);
  mkdirSync(at.path('folder'));
  return at;
}

/** A campaign that was rehearsed; there are no real calls. */
async function rehearsed(): Promise<Desk> {
  const at = desk();
  at.write('leads.csv', LIST);
  const given = { clock: hastyClock(100) };
  await at.run(['run', 'leads.csv', '--name', 'spring', ...SIMULATED.split(' ')], given);
  return at;
}

/** A campaign of which one person was called and two wait, without the key of its service. */
async function called(): Promise<Desk> {
  const { at } = await aDesk();
  await at.run([...RUN, '--name', 'spring', '--limit', '1']);
  at.write('more.csv', 'phone\n+12125550109\n');
  return at;
}

const SCENES: Record<string, Scene> = {
  'words that are mistyped': {
    make: lists,
    commands: `
--verison
--hlep
verison
runn leads.csv
supress add 1
agent list
leads.csv run
help nonsense
help rnu
help suppress ad
help run leads.csv
run leads.csv --concurrency
import "" leads.csv
check mya
suppress add +12125550123 +12125550124
call 5550123 ${SIMULATED}`,
  },
  'services, agents and users': {
    make: lists,
    commands: `
run leads.csv --service simulatd
run nosuch.yaml
run leads.csv --agent ag_1 --service-url voice
run leads.csv --agent ag_1 --service-url http://voice.example
agents list --service main --services no-yaml.yaml
init --service-url ftp://me:secret@voice.example.com --agent a --list leads.csv --key-file k --rules always
profile check vappi
users add ann
users add ann --role boss
users remove ann
users password ann
tokens remove crm
run leads.csv ${SIMULATED} --webhooks --port 99999
run leads.csv ${SIMULATED} --public-url https://calls.example.com
run leads.csv ${SIMULATED} --port 4290
serve --port 99999
serve --public-url calls
serve --service-url http://127.0.0.1:9 --public-url http://calls.example.com
serve --console --console-port 4280
serve --console --console-port many
serve --console --console-tls-cert c.pem
serve --console --console-max-upload 1
serve --console --console-host 0.0.0.0
console --tls-cert c.pem
console --max-upload much
console --host 0.0.0.0
console --behind-proxy
console --tls-cert c.pem --tls-key k.pem
simulate --webhook-secret whsec_x
simulate --webhook-url nowhere
simulate --webhook-url http://127.0.0.1/ --webhook-secret x
simulate --port 70000
simulate --time-scale 0
simulate --cost cheap
simulate --cost 0.5+0.1+1
simulate --cost +0.1
simulate --cost 0
simulate --capacity 0
simulate --mix hot
simulate --faults dorp=1`,
  },
  lists: {
    make: lists,
    commands: `
run bare ${SIMULATED}
run folder ${SIMULATED}
import spring folder ${SIMULATED}
import spring nothing ${SIMULATED}
check loop.csv ${SIMULATED}
check leads.csv/x.csv ${SIMULATED}
check leads.cvs ${SIMULATED}
check no/leads.csv ${SIMULATED}
check leads.csv --map phone=Phnoe ${SIMULATED}
check leads.csv --map phone=Number ${SIMULATED}
check leads.csv --map phone=Email ${SIMULATED}
check two.csv --map phone=2 ${SIMULATED}
check two.csv --map "phone=A (2)" ${SIMULATED}
check leads.csv --sheet Leads ${SIMULATED}
run leads.csv --sheet Leads ${SIMULATED}
import spring leads.csv --sheet Leads ${SIMULATED}
run bare.yaml ${SIMULATED}
run folder/wrong.yaml ${SIMULATED}
check folder/wrong.yaml ${SIMULATED}`,
  },
  '--db on what is no database': {
    make: databases,
    commands: `
run leads.csv ${SIMULATED} --db folder
status --db folder
run leads.csv --service simulated --db leads.csv
status --db leads.csv
pause --all --db leads.csv
backup b.db --db leads.csv
restore good.db --db leads.csv
restore good.db --alone --db leads.csv
run leads.csv ${SIMULATED} --db leads.csv/x/calls.db
restore folder
restore leads.csv
backup folder --db first.db
backup folder --force --db first.db
inbox replay dlv_1
suppress import leads.csv --sheet Leads --db first.db
suppress add +1212555 --db first.db`,
  },
  'a campaign that was rehearsed': {
    make: rehearsed,
    commands: `
${['status', 'export', 'summary', 'report', 'tail', 'pause', 'resume', 'resolve', 'run'].map((verb) => `${verb} sprng`).join('\n')}
status autumn
export spring --db data/callsheet.db
run spring --service-url http://127.0.0.1:9 --agent ag_1
export autumn --db other.db
suppress add +12125550123
suppress remove +12125550123
suppress import leads.csv
export spring --columns email
export spring --columns nothing
export spring --only anwered
export spring --since yesterday
export spring --since 2026-02-30
export spring --since-last --per attempt
export spring --format pdf
export spring -o x.html
export spring -o x.pdf
export spring --captured-leads -o x.ods
export spring --captured-leads --since-last -o c.csv
export spring --captured-leads --only answered -o c.csv
export spring --captured-leads --per attempt -o c.csv
export spring -o leads.csv/x.csv
export spring --night 2020-01-09
report spring -o x.pdf
cancel spring --lead 12
set spring concurency=3
set spring concurrency=0
set spring pace=1/s concurrency
set spring pace=1/s leads=x.csv
set spring pace=1/s service.url=https://x.example
set spring service=main
set spring retries=2
set spring foo=1
set pace=30/min spring
import leads.csv spring
run spring leads.csv`,
  },
  'a campaign of real calls': {
    make: called,
    commands: `
run spring ${SIMULATED}
run more.csv --agent ag_1 --concurrency -3
run more.csv --agent ag_1 --format pdf
run more.csv --agent ag_1 --set polling.floor=5
run more.csv --agent ag_1 -o r.pdf
run more.csv --agent ag_1 --limit x
run more.csv --agent ag_1 --limit 0
run more.csv --agent ag_1 --until 25:00
run more.csv --agent ag_1 --wait long
run more.csv --agent ag_1 --concurrency 0
run more.csv --agent ag_1 --set retry.attempts=0
run more.csv --agent ag_1 --set polling.flor=1s
run more.csv --agent ag_1 --name a/b
run more.csv --agent ag_1 -o out/a-{day}.csv
run more.csv --agent ag_1 --set results.file=out/a-{day}.csv
run more.csv --agent ag_1 --rules us
set spring concurrency 10 pace 60/min
pause
pause --all spring
archive spring
call 555 --agent ag_1
call +12125550123 --agent ag_7
call +12125550123
resolve spring --as not-placed --lead +12125550109
resolve spring --as not-placed --lead a99
resolve spring --as not-placed --lead Bo`,
  },
};

it.each(Object.entries(SCENES))(
  'a command is answered with what is wrong in it, and changes nothing: %s',
  async (name, { make, commands }) => {
    const at = await make();
    // Who looks for users makes the file that they would be in.
    const files = () =>
      readdirSync(at.cwd, { recursive: true, encoding: 'utf8' })
        .filter((file) => !/^data(\/console\.db.*)?$/.test(file))
        .toSorted();
    const before = files();
    const said: string[] = [];
    for (const line of commands.trim().split('\n')) {
      const { code, out, err } = await at.run(wordsOf(line));
      expect({ line, code, out, files: files() }).toEqual({
        ...{ line, code: 2, out: '', files: before },
      });
      expect(err).toMatch(/^callsheet: .+\n {2}next: .+\n$/s);
      expect(err).not.toMatch(/\n\s+at |\.\.(\s|$)|undefined|\[object|secret@/);
      said.push(`$ callsheet ${line}\n${placed(err, at)}`);
    }
    await expect(said.join('\n')).toMatchFileSnapshot(
      `refusals/${name.replaceAll(/\W+/g, ' ').trim().replaceAll(' ', '-')}.txt`,
    );
  },
);

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
}

/** Without what is another on each machine. */
function placed(said: string, at: Desk): string {
  return said
    .replaceAll(at.cwd, '{cwd}')
    .replaceAll(process.cwd(), '{package}')
    .replaceAll(at.env['VOICE_API_URL'] ?? '{url}', '{url}');
}

it('a mistyped option of any command is answered with the nearest one', async () => {
  for (const { name, usage } of shareOf(COMMANDS, 8)) {
    const needed = [...usage.matchAll(/<[^>]+>/g)].map(() => 'x');
    const { code, err } = await desk().run([...name.split(' '), ...needed, '--verison']);
    expect(code).toBe(2);
    expect(err).toContain(
      `--verison is not an option of \`npx callsheet ${name}\`; did you mean \`npx callsheet --version\`?`,
    );
  }
});

it('a number that is not taken is told with the way to have it taken', async () => {
  const { code, err } = await lists().run(['check', 'odd.csv', ...SIMULATED.split(' ')]);
  expect(code).toBe(0);
  await expect(err.match(/^ {2}line .*\n/gm)?.join('')).toMatchFileSnapshot('refusals/numbers.txt');
});
