import { labelOf, SETTING_ROWS } from '../../../src/config/table/settings-table.ts';
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  labelOfFlag,
  partsOf,
  piecesOf,
  placeOfCommand,
} from '../../../src/console/pages/parts/places.ts';

/** What has no place on the pages, by the reason why. */
const COMMANDS_OF_TERMINAL: Readonly<Record<string, readonly string[]>> = {
  'help with words of the command line': ['--help', 'agents create --help'],
  'callsheet itself, which a page cannot start': ['serve', 'console', 'console --link'],
  'files of the machine': [
    ...[
      'init',
      'check',
      'backup',
      'restore',
      'restore --db',
      'export --force',
      'rules check',
      'status --db',
    ],
    ...['machines', 'migrate', 'move --db --to', 'pause --db', 'X --db'],
    ...['doctor', 'doctor --db --mend-journal', 'notify test'],
  ],
  'people join a campaign that was begun': ['import', 'import --instead', 'import --sync'],
  'nobody is looked for in all campaigns': ['explain'],
  'campaigns are paused one by one': ['pause --all'],
  'figures of a rule are not told with their sources': [
    'rules show',
    'rules show --region',
    'rules show --sources',
  ],
  'resume or run, which have places': ['X'],
  'the last admin stays one': ['X --force'],
};
const FLAGS_OF_TERMINAL: Readonly<Record<string, readonly string[]>> = {
  'files and addresses of the machine': [
    ...['--db', '--services', '--key-file', '--samples', '--force', '--campaign'],
    ...[
      '--new-db',
      '--service-url',
      '--profile',
      '--max-upload',
      '--port',
      '--metrics',
      '--alone',
      '--journal',
      '--db-password-file',
      '--to',
    ],
  ],
  'the page asks instead': ['--yes', '--lead', '--all'],
  'people join a campaign that was begun': ['--add', '--sync'],
  'how long this one command runs': ['--until', '--webhooks'],
  'files of registries come by the terminal': ['--areas', '--registry'],
  'rules of one region are not shown alone': ['--region'],
  'no flag of callsheet': [
    ...['--liftoff-only', '--per-row', '--schema'],
    ...['--expose-gc', '--heap-growing-percent', '--semi-space-growth-factor'],
  ],
};

const STOP_AT = '“No call of the night begins from this time on”';

describe('a sentence of callsheet', () => {
  it.each([
    [
      'say so with --country, e.g. --country US',
      ['say so with ', ['Country'], ', e.g. ', ['Country'], ' US'],
    ],
    [
      "`callsheet resume 'spring 5%'` goes on",
      [['“Go on calling” at spring 5%', '/campaigns/spring%205%25'], ' goes on'],
    ],
    [
      '3 leads wait; `callsheet run spring` goes on',
      ['3 leads wait; ', ['“Go on calling” at spring', '/campaigns/spring'], ' goes on'],
    ],
    [
      "`callsheet cancel 'it'\\''s on' --undo` takes it back",
      [["“Take back the cancelling” at it's on", "/campaigns/it's%20on"], ' takes it back'],
    ],
    [
      '`callsheet resolve CAMPAIGN` lists them',
      [['the tab Doubts of the campaign', '/'], ' lists them'],
    ],
    [
      '`callsheet suppress remove +12125550123` lifts that',
      [['“Remove” on the page Suppression', '/suppression?text=%2B12125550123'], ' lifts that'],
    ],
    ['`--concurrency 20` rehearses that', [['Calls at once'], ' 20', ' rehearses that']],
    ['`callsheet serve` calls by `rules`', ['serve', ' calls by ', 'rules']],
    [
      'sooner than retry.gap after the last, or `stop.at`',
      ['sooner than ', ['“Time between two calls”'], ' after the last, or ', [STOP_AT]],
    ],
    [
      'let it be called by --set numbers.extension=accept, not /stop.at or x.stop.cost',
      [
        ...['let it be called by ', ['the setting'], ' ', ['“Numbers with an extension”: accept']],
        ', not /stop.at or x.stop.cost',
      ],
    ],
    [
      'POST https://a.example/calls (with agent_id) was not answered: it was closed (UND_ERR_SOCKET).',
      [['The request to the service'], ' was not answered: it was closed.'],
    ],
    ['give --yes; a--country stays', ['give ', ['“yes” of a terminal'], '; a--country stays']],
    ['run `callsheet doctor --db X`', ['run ', ['callsheet doctor, in a terminal']]],
    [
      'GET /v1/agents and https://a.example/tmp/x stay',
      ['GET /v1/agents and https://a.example/tmp/x stay'],
    ],
    ["There is no '/home/ann/calls/data/x.db'; look.", ["There is no 'x.db'; look."]],
    [
      'It goes on (pid 7 on web-1): nobody is called.',
      ['It goes on (on web-1): nobody is called.'],
    ],
    [
      'The run (pid 7) keeps it; stop it with Ctrl-C and go on.',
      ['The run (another process) keeps it; stop it and go on.'],
    ],
    ['Waiting for it, 3 s so far; Ctrl-C leaves.', ['Waiting for it, 3 s so far.']],
    [
      'End it (Ctrl-C in its terminal; `callsheet status` names it), then move.',
      ['End it (', ['the page of the campaign', '/'], ' names it), then move.'],
    ],
  ])('%s: is shown with places of the pages', (sentence, shown) => {
    const simple = piecesOf(sentence).map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('code' in piece) return piece.code.replace('callsheet ', '');
      return piece.href === undefined ? [piece.text] : [piece.text, piece.href];
    });
    expect(simple).toEqual(shown);
  });
});

const { commands, flags } = namedForTerminal();

it('no sentence of callsheet says a flag, a process, a key or a folder of a machine on a page', () => {
  const shown = textsOfProduct(/./)
    .filter((text) => text.includes(' ') && !/ AS \w+,|^\s*(SELECT|INSERT|DELETE|<)/.test(text))
    .map((text) => text.replaceAll(/(?<=pid ) X /g, '7').replaceAll(/(?<=^| )\/X\//g, '/home/ann/'))
    .map((text) =>
      piecesOf(text)
        .map((piece) =>
          typeof piece === 'string' ? piece : 'code' in piece ? piece.code : piece.text,
        )
        .join(''),
    );
  expect(shown.length).toBeGreaterThan(1_000);
  expect(
    shown.filter((text) =>
      /(?<![\w-])--[a-z]|\bpid\b|Ctrl-C|(?<![\w:/.])\/(home|Users|tmp|var)\/|(?<!\w)(stop|retry)\.(?!after\b|total\b)\w|skipCalled|_ERR_/.test(
        text,
      ),
    ),
  ).toEqual([]);
});

describe('what a sentence of callsheet names for the terminal', () => {
  it('as a command has a place on the pages, or a reason to have none', () => {
    const without = [...commands].filter((key) => placeOfCommand(`callsheet ${key}`) === undefined);
    expect(without.sort()).toEqual(Object.values(COMMANDS_OF_TERMINAL).flat().sort());
  });

  it('as a flag has a field on the pages, or a reason to have none', () => {
    const without = [...flags].filter((flag) => labelOfFlag(flag) === undefined);
    expect(without.sort()).toEqual(Object.values(FLAGS_OF_TERMINAL).flat().sort());
  });
});

it('places are called what the pages call them', () => {
  const pages = readdirSync('src/console/pages', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('places.ts'))
    .map((file) => readFileSync(`src/console/pages/${file}`, 'utf8'))
    .concat(SETTING_ROWS.map(([, row]) => labelOf(row)))
    .join('\n');
  const texts = [...commands].map((key) => placeOfCommand(`callsheet ${key}`)?.text ?? '');
  const labels = [
    ...texts.flatMap((text) => /“(.+)”/.exec(text)?.[1] ?? []),
    ...[...flags].flatMap((flag) => labelOfFlag(flag)?.replace(':', '') ?? []),
  ];
  expect(labels.length).toBeGreaterThan(10);
  expect(labels.filter((label) => !pages.includes(label))).toEqual([]);
});

it('no button loses the focus while its action is under way: it is aria-disabled then', () => {
  const losing = readdirSync('src/console/pages', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .filter((file) =>
      /[^-]disabled=\{[^}]*\bis(Busy|Loading)\b/.test(
        readFileSync(`src/console/pages/${file}`, 'utf8'),
      ),
    );
  expect(losing).toEqual([]);
});

/** What the product's sentences name: commands by their keys, and flags beside them. */
function namedForTerminal() {
  const texts = textsOfProduct();
  return {
    commands: new Set(
      texts.flatMap((text) =>
        [...text.matchAll(/`(callsheet [^`]+)`/g)].map(([, command = '']) => partsOf(command).key),
      ),
    ),
    flags: new Set(
      texts.flatMap(
        (text) =>
          text.replaceAll(/`callsheet [^`]+`/g, '').match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [],
      ),
    ),
  };
}

/** Every text in the code behind both faces; `X` stands for what is filled in. */
function textsOfProduct(saying = /callsheet |--[a-z]/): string[] {
  const others = /^(cli|console|simulator|app\/units)\/|report\/charts\.ts$/;
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !others.test(file))
    .flatMap((file) => {
      const code = readFileSync(`src/${file}`, 'utf8');
      // Without either a file names nothing, and to parse all of them takes seconds.
      if (!saying.test(code)) return [];
      const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest);
      const texts: string[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
          texts.push(node.text);
        if (ts.isTemplateExpression(node))
          texts.push(
            node.head.text + node.templateSpans.map((one) => ` X ${one.literal.text}`).join(''),
          );
        ts.forEachChild(node, visit);
      };
      visit(source);
      return texts;
    });
}
