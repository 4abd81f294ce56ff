// Deliberate mistakes in what happens when nobody looks on: see faults.mjs for what the fields mean.
const STOP = ['test/cli/terminal/stop.test.ts'];
const CLOSED = ['test/e2e/kills/closed-terminal.test.ts'];
const HANGING = ['test/service/http/hanging.test.ts'];
const NIGHT = ['test/cli/commands/run/night.test.ts'];

export const NIGHT_FAULTS = [
  {
    title: 'the signals of one closing are taken for impatience',
    file: 'src/cli/terminal/stop.ts',
    text: "if (signal !== 'SIGINT' && since < ONE_CLOSING_MS) return;",
    replacement: '',
    tests: STOP,
    named: 'still collects',
  },
  {
    title: 'a terminal that was closed is written to',
    file: 'src/cli/main.ts',
    text: "if (signal === 'SIGHUP') hangUp(io);",
    replacement: '',
    tests: CLOSED,
    named: 'written nothing',
  },
  {
    title: 'a terminal that fails decides how a run ends',
    file: 'src/cli/terminal/terminal.ts',
    text: "if (error.code === 'EPIPE' || error.code === 'EIO') gone.add(io.stderr);",
    replacement: 'broken.error ??= error;',
    tests: CLOSED,
    named: 'changes nothing',
  },
  {
    title: 'the input that nohup leaves is not known',
    file: 'src/runtime/process.ts',
    text: '=== WRITE_ONLY;',
    replacement: '=== 0o7;',
    tests: ['test/runtime/hangup.test.ts'],
    named: 'input it leaves',
  },
  {
    title: 'a service that hangs is waited for as long as one that drips',
    file: 'src/service/http/exchange.ts',
    text: 'if (silentMs < withinMs)',
    replacement: 'if (silentMs < 0)',
    tests: HANGING,
    named: 'for 10 s',
  },
  {
    title: 'a list of agents that hangs is asked for four times',
    file: 'src/service/calls/agents.ts',
    text: 'if (isSilence(outcome.cause) && retries >= 1) return false;',
    replacement: '',
    tests: HANGING,
    named: 'asked twice',
  },
  {
    title: 'a log file is begun at the end of a list',
    file: 'src/cli/terminal/log-file.ts',
    text: '    refuseForeign(first);\n',
    replacement: '',
    tests: NIGHT,
    named: 'it is the list',
  },
  {
    title: 'a log file that cannot be written stops the run',
    file: 'src/cli/terminal/log-file.ts',
    text: '      this.#lost += 1;\n',
    replacement: '      throw error;\n',
    tests: NIGHT,
    named: 'stops nothing',
  },
  {
    title: 'a normal night is mailed',
    file: 'src/cli/args/options.ts',
    text: "return kind === 'end' && (io.stderrIsTty || !isNormal(code));",
    replacement: "return kind === 'end';",
    tests: NIGHT,
    named: 'normal night',
  },
];
