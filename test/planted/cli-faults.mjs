// Deliberate mistakes in what is shown, written and read at the command line: see faults.mjs for what the fields mean.
const SHOWN = 'src/domain/safe-text.ts';
const OUTPUT = 'src/app/places/output-file.ts';
const FOREIGN = 'test/e2e/lists/foreign-text.test.ts';
const FILES = 'test/cli/commands/results/output-files.test.ts';
const CHANGES = 'test/cli/clock-changes.test.ts';
const AGAIN = 'test/cli/commands/run/again.test.ts';
const ASKED = 'test/cli/commands/run/asked-before.test.ts';
const HOSTILE = 'test/cli/commands/service/hostile-settings.test.ts';

export const CLI_FAULTS = [
  {
    title: 'a name with a line break forges a line',
    file: SHOWN,
    text: 'shownText(text.replaceAll(LINE_BREAKS, ',
    replacement: 'shownText(text.replaceAll(/\\t/g, ',
    tests: ['test/domain/safe-text.test.ts'],
  },
  {
    title: 'a sentence is printed with the line breaks of the names in it',
    file: 'src/cli/terminal/output.ts',
    text: 'tell(io, shownLine(sentence), kind, code);',
    replacement: 'tell(io, sentence, kind, code);',
    tests: ['test/cli/terminal/terminal.test.ts'],
  },
  {
    title: 'control signs of eight bits stay in JSON',
    file: 'src/cli/terminal/terminal.ts',
    text: 'put(io, to, `${shownJson(json)}\\n`);',
    replacement: '(to === "out" ? io.stdout : io.stderr).write(`${json}\\n`);',
    tests: [FOREIGN],
    named: 'saved answers',
  },
  {
    title: 'log lines reach the terminal as they are',
    file: 'src/cli/terminal/terminal.ts',
    text: 'io.stderr.write(shownJson(line));',
    replacement: 'io.stderr.write(line);',
    tests: ['test/cli/terminal/terminal.test.ts'],
  },
  {
    title: 'with --force a list is replaced',
    file: OUTPUT,
    text: 'if (identityOf(other) === found) throw inUse(path, what);',
    replacement: 'if (other === path && found === undefined) throw inUse(path, what);',
    tests: [FILES],
    named: 'the list',
  },
  {
    title: 'a part of the database that is not there at the moment may be an output',
    file: OUTPUT,
    text: '? spellingOf(other) === spellingOf(path)',
    replacement: '? false',
    tests: [FILES],
    named: 'another spelling',
  },
  {
    title: 'a file of somebody else is replaced',
    file: OUTPUT,
    text: 'if (force || (await isReplaceable(path))) return;',
    replacement: 'if (force || !(await isReplaceable(path))) return;',
    tests: [FILES],
    named: 'not replaced without --force',
  },
  {
    title: 'what callsheet wrote is not known again after a restore',
    file: 'src/results/written-by-callsheet.ts',
    text: 'return headerOf(text).includes(MARK);',
    replacement: 'return false;',
    tests: [FILES],
    named: 'as often as wanted',
  },
  {
    title: 'results that cannot be written are noticed after the calls',
    file: 'src/app/run/run.ts',
    text: '{ store: plan.store, used, force }',
    replacement: '{ store: plan.store, used, force: true }',
    tests: [FILES],
    named: 'not replaced without --force',
  },
  {
    title: '--until in an hour that is skipped ends a shift later',
    file: 'src/text/wall-clock.ts',
    text: "if (isSkipped) return [first.getTimeZoneTransition('next')?.epochMilliseconds ?? NaN];",
    replacement: 'if (isSkipped) return [second.epochMilliseconds];',
    tests: [CHANGES],
  },
  {
    title: 'of an hour that comes twice --until takes the second',
    file: 'src/cli/args/moments.ts',
    text: 'moments.find((at) => at >= now)',
    replacement:
      'Math.min(...moments.filter((at, i) => at >= now && !(moments[i + 1] - at < 7_200_000)))',
    tests: [CHANGES],
  },
  {
    title: "an --until that has passed today is tomorrow's with no word",
    file: 'src/cli/args/moments.ts',
    text: 'if (next !== undefined) return next;',
    replacement: 'if (first > 0) return next ?? first + 86_400_000;',
    tests: [ASKED],
    named: 'which has passed',
  },
  {
    title: 'a day that is over suppresses nobody, and is taken',
    file: 'src/app/typed-day.ts',
    text: 'if (end > clock.now()) return end;',
    replacement: 'if (end > 0 * clock.now()) return end;',
    tests: ['test/cli/commands/run/days-and-hours.test.ts'],
    named: 'that is over suppresses nobody',
  },
  {
    title: 'a list that another campaign has called is called again with no word',
    file: 'src/app/plan/repeated-lists.ts',
    text: 'if (!again) {',
    replacement: 'if (!again && onlyImports) {',
    tests: [AGAIN],
    named: 'calls nobody off a terminal',
  },
  {
    title: 'a list that came in beforehand is started though another campaign has called it',
    file: 'src/app/plan/repeated-lists.ts',
    text: 'campaign === undefined || begun ? []',
    replacement: 'campaign === undefined || !begun ? []',
    tests: [AGAIN],
    named: 'is asked for by',
  },
  {
    title: 'who asked not to be called is counted among those who are called again',
    file: 'src/app/plan/called-before.ts',
    text: 'phones.has(phone) && !asked.has(phone)',
    replacement: 'phones.has(phone) || asked.has(phone)',
    tests: [AGAIN],
    named: 'are told by check and run',
  },
  {
    title: 'the question names everybody although --limit lets fewer be called',
    file: 'src/app/plan/approve.ts',
    text: 'limit === null || limit >= people',
    replacement: 'limit === null || limit > 0',
    tests: [ASKED],
    named: 'as many people as --limit',
  },
  {
    title: 'a file of settings is read whatever its depth',
    file: 'src/runtime/yaml.ts',
    text: 'flow > DEEPEST || inLine > DEEPEST || isIndented',
    replacement: 'isIndented',
    tests: [HOSTILE],
    named: 'items',
  },
  {
    title: 'a loop of an expression looks through the whole answer for each item',
    file: 'src/service/profile/expressions.ts',
    text: "if (loops > 0 && op === 'id' && args === 'body') {",
    replacement: "if (loops > 9 && op === 'id' && args === 'body') {",
    tests: [HOSTILE],
    named: 'x in body.list',
  },
  {
    title: 'a page that asks again is told that nothing has changed, whatever it has',
    file: 'src/console/guards/headers.ts',
    text: "one.replace(/^W\\//, '') === tag",
    replacement: "one !== ''",
    tests: ['test/console/routes/campaigns.test.ts'],
    named: 'is sent nothing where nothing has changed',
  },
];
