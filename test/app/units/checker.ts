/** A setting of a unit as it is written. */
export interface Setting {
  section: string;
  name: string;
  value: string;
}

/** Settings that systemd knows, with the form of their values; systemd.unit(5), .service(5), .exec(5), .kill(5). */
const KNOWN: Record<string, Record<string, RegExp>> = {
  Unit: {
    Description: /./,
    Wants: /^[\w.-]+\.target$/,
    After: /^[\w.-]+\.target$/,
    StartLimitIntervalSec: /^\d+$/,
  },
  Service: {
    Type: /^notify$/,
    NotifyAccess: /^(none|main|exec|all)$/,
    User: /^[\w.-]+$/,
    WorkingDirectory: /^\//,
    Environment: /^("?)\w+=.*\1$/,
    EnvironmentFile: /^-?\//,
    ExecStart: /^["/]/,
    Restart: /^on-failure$/,
    RestartSec: /^\d+$/,
    SuccessExitStatus: /^\d+( \d+)*$/,
    RestartPreventExitStatus: /^\d+( \d+)*$/,
    TimeoutStartSec: /^\d+$/,
    TimeoutStopSec: /^\d+$/,
    WatchdogSec: /^\d+$/,
    KillMode: /^(control-group|mixed|process|none)$/,
    UMask: /^0[0-7]{3}$/,
    ProtectSystem: /^(yes|no|full|strict)$/,
    ReadWritePaths: /^["-/]/,
    ProtectControlGroups: /^(yes|no)$/,
    PrivateTmp: /^(yes|no)$/,
  },
  Install: { WantedBy: /^[\w.-]+\.target$/ },
};
const SEVERAL = ['Environment'];

/** What is wrong with a unit, a sentence for each; and its settings. */
export function checkUnit(text: string): { problems: string[]; settings: Setting[] } {
  const problems: string[] = [];
  const settings: Setting[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, head] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (head !== undefined) {
      if (KNOWN[head] === undefined) problems.push(`[${head}] is no section`);
      section = head;
      continue;
    }
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    const form = KNOWN[section]?.[name];
    if (form === undefined) problems.push(`${line} is no setting of [${section}]`);
    else if (!form.test(value)) problems.push(`${name}=${value} has another form`);
    if (line.endsWith('\\')) problems.push(`${line} goes on in the next line`);
    const isTwice = settings.some((each) => each.section === section && each.name === name);
    if (isTwice && !SEVERAL.includes(name)) problems.push(`${name} is there twice`);
    settings.push({ section, name, value });
  }
  return { problems, settings };
}

/** The words of a command line as systemd splits them: quotes, escapes, then `%` and `$`. */
export function wordsOf(command: string, isCommand = true): string[] {
  const words: string[] = [];
  for (const [, quoted, plain = ''] of command.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s"]+)/g)) {
    const text = quoted === undefined ? plain : quoted.replaceAll(/\\(["\\])/g, '$1');
    if (/(?<!%)(%%)*%(?!%)/.test(text)) throw new Error(`${text} has a specifier`);
    const said = text.replaceAll('%%', '%');
    const isArgument = isCommand && words.length > 0;
    if (isArgument && /(?<!\$)(\$\$)*\$(?!\$)/.test(said))
      throw new Error(`${said} has a variable`);
    words.push(isArgument ? said.replaceAll('$$', '$') : said);
  }
  return words;
}
