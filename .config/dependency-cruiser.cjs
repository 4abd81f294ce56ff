// The layers. Every rule says why, so that whoever meets it knows what to do instead.
const only = (name, comment, from, path) => ({
  name,
  comment,
  severity: 'error',
  from,
  to: { path },
});
const stages = ['leads', 'dispatch', 'collect', 'results'];

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
      comment: 'A cycle has no first file to read. Move what both need below them.',
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['^src/cli/bin\\.ts$', '\\.d\\.ts$', '^src/console/pages/(main|style/)'],
      },
      to: {},
      comment: 'Nobody imports it: delete it.',
    },
    only(
      'domain-is-pure',
      'domain decides; it imports nothing, so that every rule can be tested as a value.',
      { path: '^src/domain' },
      '^(?!src/domain)',
    ),
    only(
      'text-stands-on-domain',
      'text reads and writes values as people do; it knows nothing of the program.',
      { path: '^src/text' },
      '^src/(?!text|domain)',
    ),
    only(
      'runtime-stands-on-domain',
      'runtime is the outside world as small values; it knows no stage.',
      { path: '^src/runtime' },
      '^src/(?!runtime|domain|text)',
    ),
    only(
      'config-stands-low',
      'config turns files and flags into values; what uses them is above it.',
      { path: '^src/config' },
      '^src/(?!config|runtime|domain|text)',
    ),
    only(
      'views-are-shapes',
      'Views say how facts look outside; who makes or prints them is above.',
      { path: '^src/views' },
      '^src/(?!views|text|domain)',
    ),
    only(
      'store-stands-low',
      'the store keeps; it does not know who asks.',
      { path: '^src/store' },
      '^src/(?!store|runtime|domain|text)',
    ),
    only(
      'statements-know-no-engine',
      'The statements are the same for every database; what a file or a server needs is beside them.',
      { path: '^src/store/sql/' },
      '^src/store/(sqlite|journal)/',
    ),
    only(
      'journal-knows-no-engine',
      'The dial journal stands above the statements of every database.',
      { path: '^src/store/journal/' },
      '^src/store/sqlite/',
    ),
    only(
      'service-stands-low',
      'the service client speaks the wire; it does not know who asks. Profiles are its own.',
      { path: '^src/service' },
      '^src/(?!service|runtime|domain|text)',
    ),
    only(
      'stages-use-ports',
      'A stage sees the store and the service through their ports, so that either can be replaced.',
      { path: `^src/(${stages.join('|')})/` },
      '^src/(store|service)/(?!port\\.ts$)',
    ),
    ...stages.map((stage) =>
      only(
        `${stage}-apart`,
        'Stages do not use each other; src/run-campaign.ts puts them together.',
        { path: `^src/${stage}/` },
        `^src/(${stages.filter((other) => other !== stage).join('|')}|app|cli|simulator|run-campaign\\.ts)`,
      ),
    ),
    {
      name: 'cli-asks-app',
      comment:
        'The command line is one face of app: what is done, and what is refused, is done there. It knows the stages by their types, by their tables of names, and by what only words results for people.',
      severity: 'error',
      // bin.ts puts the program together.
      from: { path: '^src/cli', pathNot: '^src/cli/bin\\.ts$' },
      to: {
        path: '^src/(leads|dispatch|collect|results|store|service|simulator|run-campaign\\.ts)',
        pathNot: [
          // Texts of flags, and names for help.
          '^src/leads/columns/column-choices\\.ts$',
          '^src/store/deliveries\\.ts$',
          '^src/simulator/(options|calls/timeline|wire/faults)\\.ts$',
          // Results and profiles as people read them.
          '^src/results/(figure-lines|columns|format)\\.ts$',
          '^src/service/profile/read-fields\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'console-asks-app',
      comment:
        'The console is the other face of app, with the same refusals: it knows what is below app by its types alone.',
      severity: 'error',
      from: { path: '^src/console' },
      to: {
        path: '^src/(leads|dispatch|collect|results|store|service|simulator|run-campaign\\.ts)',
        // Names that requests may hold.
        pathNot: ['^src/leads/columns/column-choices\\.ts$', '^src/store/deliveries\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pages-ask-over-http',
      comment: 'The pages run in a browser: of the rest they know types, and values that are pure.',
      severity: 'error',
      from: { path: '^src/console/pages' },
      to: {
        path: '^src/(?!console/pages|domain|text|config/table/|views/night-figures)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'settings-table-is-pure',
      severity: 'error',
      comment: 'The pages load the table of settings: it holds words and bounds, and no reader.',
      from: { path: '^src/config/table' },
      to: { path: '^(?!src/(config/table|domain|text))', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'night-figures-are-pure',
      severity: 'error',
      comment: 'The pages load this view: it holds words, and no schema.',
      from: { path: '^src/views/night-figures' },
      to: { path: '^(?!src/(domain|text))', dependencyTypesNot: ['type-only'] },
    },
    only(
      'pages-apart',
      'The server sends the pages as files; it does not import them.',
      { path: '^src/(?!console/pages)' },
      '^src/console/pages',
    ),
    {
      name: 'browser-libraries-in-pages',
      severity: 'error',
      from: { path: '^src/(?!console/pages)' },
      to: { path: 'node_modules/(preact|@preact|uplot)/' },
      comment: 'They need a browser.',
    },
    only(
      'console-beside-cli',
      'The two faces do not know each other.',
      { path: '^src/console' },
      '^src/cli',
    ),
    only(
      'cli-starts-console',
      'The command that starts the console knows its entrance alone.',
      { path: '^src/cli' },
      '^src/console/(?!console\\.ts$)',
    ),
    only(
      'lists-read-first',
      'Bytes become rows before anybody asks what the columns hold.',
      { path: '^src/leads/(read|workbook)/' },
      '^src/leads/(?!read|workbook)',
    ),
    only(
      'numbers-alone',
      'A cell becomes a number whatever list it stands in.',
      { path: '^src/leads/phone/' },
      '^src/leads/(?!phone)',
    ),
    only(
      'columns-before-rows',
      'Columns are found before a row is judged.',
      { path: '^src/leads/columns/' },
      '^src/leads/(?!columns|phone|read)',
    ),
    only(
      'run-campaign-below-app',
      'src/run-campaign.ts wires the stages; who asked for it is above.',
      { path: '^src/run-campaign\\.ts$' },
      '^src/(app|cli|simulator)',
    ),
    only(
      'app-below-faces',
      'Every face gets the same refusals: what people can do knows neither arguments nor a terminal.',
      { path: '^src/app' },
      '^src/(cli|console)',
    ),
    only(
      'simulator-apart',
      'The embedded service is the other side of the wire: shared client code would hide its mistakes.',
      { path: '^src/simulator' },
      '^src/(?!simulator|runtime)',
    ),
    only(
      'sqlite-only-in-store',
      'SQL and its driver stay behind the store port.',
      { pathNot: '^src/store/(sql|sqlite|postgres)/' },
      'node_modules/better-sqlite3',
    ),
    only(
      'postgres-only-in-store',
      'The driver stays behind the store port, in the thread that talks to the server.',
      { pathNot: '^src/store/postgres/' },
      'node_modules/(pg|sync-message-port)/',
    ),
    only(
      'undici-only-in-service',
      'One place sends requests, with the one agent that never repeats a dial; the embedded service sends its events.',
      { pathNot: '^src/(service/|simulator/webhooks/webhook-outbox\\.ts$)' },
      'node_modules/undici',
    ),
    only(
      'phone-library-only-in-leads',
      'A number is parsed once, when it comes in; afterwards it is E.164.',
      { pathNot: '^src/leads' },
      'node_modules/libphonenumber-js',
    ),
    only(
      'yargs-only-in-cli',
      'Flags end at the command line.',
      { pathNot: '^src/cli' },
      'node_modules/yargs',
    ),
    {
      name: 'no-dev-dependency',
      severity: 'error',
      // The pages are built into files together with what they import.
      from: { path: '^src/(?!console/pages)' },
      to: { dependencyTypes: ['npm-dev'] },
      comment: 'It would be missing where callsheet is installed without development packages.',
    },
    only('no-tests-in-src', 'Product code does not stand on test code.', { path: '^src' }, '^test'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
