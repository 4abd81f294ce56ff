import { choicesOf, labelOf, rowOf, SETTING_ROWS } from '../../../config/table/settings-table.ts';
import { own } from '../../../domain/safe-text.ts';

/** Where on the pages a thing of the command line is: what it is called there, and its address if it has one. */
export interface Place {
  text: string;
  href?: string;
}

/** A part of a sentence: as it is, as code, or with the place that stands for it on the pages. */
export type Piece = string | { code: string } | (Place & { said: string });

/**
 * Finds what a sentence of callsheet says for a terminal, and where that is done in a browser: commands in backticks,
 * flags, keys of settings and requests. What has no place here is named as something of a terminal.
 */
export function piecesOf(sentence: string): Piece[] {
  return withoutMachine(sentence)
    .split('`')
    .flatMap((part, i, parts) =>
      i % 2 === 0 ? inWords(part) : [ofCode(part, parts[i + 1] ?? '')].flat(),
    )
    .filter((piece) => piece !== '');
}

/** Folders of the machine, down to the file that is meant. */
const FOLDERS =
  /(?<![\w:/.])\/(?:home|Users|Volumes|root|srv|var|opt|tmp|mnt|media|data|usr|etc|app|run|private|work)\/(?:[^\s/'"`,;()]+\/)*/g;

/** Without folders, process ids, codes of errors and keys of a terminal, which mean nothing in a browser. */
function withoutMachine(sentence: string): string {
  return sentence
    .replace(FOLDERS, '')
    .replaceAll(/\(pid \d+ (?=on )/g, '(')
    .replaceAll(/\bpid \d+/g, 'another process')
    .replaceAll(/ \((?:run with --webhooks[^()]*|E[A-Z]{3,}|(?:UND_ERR|HPE|ERR)_\w+)\)/g, '')
    .replaceAll(/ with Ctrl-C\b|;? ?\(Ctrl-C[^.;()]*(?:\)|; )|; Ctrl-C[^.;]*/g, (cut) =>
      cut.endsWith('; ') ? ' (' : '',
    );
}

/** The place of `callsheet resume spring`; undefined: it is for a terminal alone. */
export function placeOfCommand(command: string): Place | undefined {
  const { key, argument } = partsOf(command);
  const [text, address] = own(COMMANDS, key) ?? [];
  if (text === undefined) return undefined;
  const isNamed = argument !== undefined && !/^[A-Z-]+$/.test(argument);
  const filled = (given: string, value: string) => given.replace('NAME', () => value);
  return {
    text: filled(text, isNamed ? argument : 'the campaign'),
    ...(address !== undefined && {
      href: !address.includes('NAME')
        ? address
        : isNamed
          ? filled(address, encodeURIComponent(argument))
          : '/',
    }),
  };
}

/** What `--country` is called on the pages; undefined: it is for a terminal alone. */
export function labelOfFlag(flag: string): string | undefined {
  return own(FLAGS, flag);
}

/** `cancel --undo` and `spring` of `callsheet cancel spring --undo`: commands are known with the flags they are given. */
export function partsOf(command: string): { key: string; argument: string | undefined } {
  const words = [...command.matchAll(/(?:[^\s'\\]|\\.|'[^']*')+/g)]
    .slice(1)
    .map(([word]) => word.replace(/^'(.*)'$/s, '$1').replaceAll(`'\\''`, "'"));
  const flags = words.filter((word) => /^--[a-z]/.test(word));
  const others = words.slice(0, words.indexOf(flags[0] ?? '') >>> 0);
  const length = GROUPS.has(others[0] ?? '') ? 2 : 1;
  // The page Agents asks for the service, and for what a new agent needs.
  const telling = others[0] === 'agents' ? flags.filter((flag) => flag === '--help') : flags;
  return { key: [...others.slice(0, length), ...telling].join(' '), argument: others[length] };
}

/** @param rest what follows it: the button of a campaign that was started before has another name */
function ofCode(code: string, rest: string): Piece | Piece[] {
  const pieces = inWords(code);
  if (!code.startsWith('callsheet ')) return pieces.length > 1 ? pieces : { code };
  const place = placeOfCommand(code);
  if (place !== undefined) {
    const text = rest.startsWith(' goes on')
      ? place.text.replace('Start', 'Go on calling')
      : place.text;
    return { ...place, text, said: code };
  }
  const [command = '', ...flags] = code.split(/(?= --[a-z])/);
  return flags.length === 0 ? { code } : { text: `${command}, in a terminal`, said: code };
}

/** Keys that are no words, longest first, perhaps with a value; flags; and requests. */
const KEYS = SETTING_ROWS.map(([key]) => key.replaceAll('.', '\\.'))
  .filter((key) => /[.A-Z]/.test(key))
  .toSorted((a, b) => b.length - a.length);
const OF_TERMINAL = new RegExp(
  String.raw`((?<![\w./-])(?:${KEYS.join('|')})(?![\w-]|\.\w)(?:=[^\s,;)]+)?|(?<![\w-])--[a-z][a-z-]*|\b(?:GET|POST) https?://\S+(?: \(with [^()]{0,500}\))?)`,
);

function inWords(text: string): Piece[] {
  return text.split(OF_TERMINAL).map((part, i, all) => {
    if (i % 2 === 0) return part;
    if (/^(GET|POST) /.test(part))
      return {
        text: `${i === 1 && all[0] === '' ? 'The' : 'the'} request to the service`,
        said: part,
      };
    const [key = '', value] = part.split('=');
    const row = rowOf(key);
    if (row === undefined)
      return { text: labelOfFlag(part) ?? `“${part.slice(2)}” of a terminal`, said: part };
    const shown = choicesOf(row)?.find((one) => one.value === value)?.text ?? value;
    return { text: `“${labelOf(row)}”${shown === undefined ? '' : `: ${shown}`}`, said: part };
  });
}

/** Commands of two words. */
const GROUPS = new Set(['agents', 'inbox', 'notify', 'rules', 'suppress', 'tokens', 'users']);

/** By the words of the command and its flags; NAME is its campaign, or its number. */
const COMMANDS: Readonly<Record<string, readonly [text: string, address?: string]>> = {
  'agents create': ['“New agent” on the page Agents', '/agents'],
  'agents list': ['the page Agents', '/agents'],
  'cancel --archive': ['“Archive” at NAME', '/campaigns/NAME'],
  'cancel --archive --undo': ['“Take out of the archive” at NAME', '/campaigns/NAME'],
  cancel: ['“Cancel” at NAME', '/campaigns/NAME'],
  'cancel --lead': ['“Withdraw” at each person of NAME', '/campaigns/NAME/people'],
  'cancel --undo': ['“Take back the cancelling” at NAME', '/campaigns/NAME'],
  collect: ['“Fetch results” at NAME', '/campaigns/NAME'],
  'doctor --service': ['“Examine” on the page Services', '/services'],
  export: ['the results of NAME', '/campaigns/NAME/results'],
  'inbox list': ['the inbox', '/inbox'],
  'inbox show': ['the inbox', '/inbox'],
  list: ['the page Campaigns', '/'],
  'report --by': ['the results of NAME', '/campaigns/NAME/results'],
  pause: ['“Pause” at NAME', '/campaigns/NAME'],
  report: ['the report of NAME', '/campaigns/NAME/results'],
  resolve: ['the tab Doubts of NAME', '/campaigns/NAME/doubts'],
  resume: ['“Go on calling” at NAME', '/campaigns/NAME'],
  'rules list': ['the list of rules in the settings'],
  run: ['“Start” at NAME', '/campaigns/NAME'],
  'run --agent': ['“New campaign”', '/new'],
  'run --name --service': ['“New campaign”', '/new'],
  set: ['the settings of NAME', '/campaigns/NAME/settings'],
  'explain --calls': ['what is known of this person'],
  status: ['the page of NAME', '/campaigns/NAME'],
  'suppress import --as-of': ['“Import a file” on the page Suppression', '/suppression'],
  'suppress list': ['the page Suppression', '/suppression?text=NAME'],
  'suppress remove': ['“Remove” on the page Suppression', '/suppression?text=NAME'],
  'tokens list': ['the page Users and tokens', '/access'],
  'tokens remove': ['“Remove” on the page Users and tokens', '/access'],
  'users add --role': ['“Add a user” on the page Users and tokens', '/access'],
  'users list': ['the page Users and tokens', '/access'],
  'users password': ['the page Users and tokens', '/access'],
  'users set --role': ['the page Users and tokens', '/access'],
  'users set --role --transcripts': ['the page Users and tokens', '/access'],
};

/** Flags that are fields, by the labels of these. */
const FLAGS: Readonly<Record<string, string>> = {
  '--again': 'Call this list again',
  '--agent': 'Agent',
  '--as-of': 'The day the file is from',
  '--captured-leads': 'Captured leads',
  '--columns': 'Columns',
  '--concurrency': 'Calls at once',
  '--country': 'Country',
  '--encoding': 'Encoding',
  '--format': 'Format',
  '--limit': 'Limit of this start',
  '--map': 'Columns:',
  '--name': 'Name',
  '--since-last': 'Only new results',
  '--night': 'Night',
  '--per': 'A row for each',
  '--results': 'Result',
  '--role': 'Role',
  '--rules': 'Rules',
  '--service': 'Service',
  '--set': 'the setting',
  '--sheet': 'Sheet',
  '--skip-called': 'Leave out people called within',
  '--state': 'State',
  '--system-prompt-file': 'Prompt',
};
