import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { launchdPlist } from '../../../src/app/units/launchd-plist.ts';
import type { UnitRequest } from '../../../src/app/units/unit-request.ts';

type Value = string | number | boolean | Value[] | { [key: string]: Value };
interface Node {
  name: string;
  text: string;
  inside: Node[];
}

/** Reads a property list as `plutil` does. @throws where it is not well-formed, or no property list */
function plistOf(text: string): Value {
  const root: Node = { name: '', text: '', inside: [] };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    const node = { name, text: '', inside: [] };
    open.at(-1)?.inside.push(node);
    open.push(node);
  });
  parser.on('text', (more) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += more;
  });
  parser.on('closetag', () => open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  const [plist] = root.inside;
  if (plist?.name !== 'plist' || plist.inside.length !== 1) throw new Error('no property list');
  return valueOf(plist.inside[0] as Node);
}

function valueOf({ name, text, inside }: Node): Value {
  switch (name) {
    case 'string':
      return text;
    case 'integer':
      if (!/^\d+$/.test(text)) throw new Error(`${text} is no integer`);
      return Number(text);
    case 'true':
    case 'false':
      return name === 'true';
    case 'array':
      return inside.map(valueOf);
    case 'dict': {
      const found: Record<string, Value> = {};
      for (let at = 0; at < inside.length; at += 2) {
        const [key, value] = inside.slice(at, at + 2);
        if (key?.name !== 'key' || value === undefined) throw new Error('no pairs');
        found[key.text] = valueOf(value);
      }
      return found;
    }
    default:
      throw new Error(`<${name}> is no value`);
  }
}

const ODD = `/Users/ops/R&D <calls> "x" 'y' \\z %n $HOME ä`;
const aRequest = (given: Partial<UnitRequest> = {}): UnitRequest => ({
  program: ['/opt/homebrew/bin/node', ODD],
  words: ['--db', ODD],
  folder: ODD,
  env: { CALLSHEET_HOME: ODD },
  user: 'ops',
  writes: ['/Users/ops/data'],
  stopMs: 150_000,
  ...given,
});

describe('a property list for launchd', () => {
  it('starts serve with these flags, again after a failure only, and gives it time to stop', () => {
    expect(plistOf(launchdPlist(aRequest()))).toEqual({
      Label: 'local.callsheet.serve',
      ProgramArguments: ['/opt/homebrew/bin/node', ODD, 'serve', '--db', ODD],
      WorkingDirectory: ODD,
      EnvironmentVariables: { CALLSHEET_HOME: ODD },
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 30,
      ExitTimeOut: 150,
      Umask: 63,
      StandardOutPath: '/Users/ops/data/serve.out.log',
      StandardErrorPath: '/Users/ops/data/serve.log',
    });
  });

  it('is refused for a path that XML cannot say', () => {
    for (const folder of ['/srv/\u0007', '/srv/a\nb', '/srv/\ud800'])
      expect(() => launchdPlist(aRequest({ folder }))).toThrow('which a property list cannot say');
  });
});
