import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { packageRoot } from '../../../src/runtime/files.ts';

interface CommandPages {
  MODULES: string[];
  commandOverview: (program: object) => string;
  commandReference: (program: object) => Promise<string>;
  withCommands: (page: string, text: string) => string;
}

const { MODULES, commandOverview, commandReference, withCommands } = (await import(
  new URL('../../../.config/command-pages.mjs', import.meta.url).href
)) as CommandPages;
const modules = MODULES.map(
  (name) => import(new URL(`../../../src/cli/${name}.ts`, import.meta.url).href) as Promise<object>,
);
const program = Object.assign({}, ...(await Promise.all(modules))) as object;

const read = (page: string) => readFileSync(join(packageRoot(), page), 'utf8');

describe('the command reference', () => {
  it('is what the help says, as is the overview on the root page (npm run docs writes both)', async () => {
    const page = read('src/cli/README.md');
    expect(withCommands(page, await commandReference(program))).toBe(page);
    const root = read('README.md');
    expect(withCommands(root, commandOverview(program))).toBe(root);
  });

  it('has every command, and explains once what several commands share', async () => {
    const text = await commandReference(program);
    for (const { name } of COMMANDS)
      expect(text).toContain(`### callsheet ${name}\n\n\`\`\`text\n`);
    expect(text.match(/^ *--log-level /gm)).toHaveLength(1);
    expect(text.match(/^ *--db .*the database; default CALLSHEET_DB/gm)).toHaveLength(1);
    expect(text).toContain('Also: [the database](#the-database)');
  });

  it('replaces what stands between the markers and nothing else', () => {
    const once = withCommands(
      '# callsheet\n\n<!-- commands -->\nwas here before\n<!-- /commands -->\n\nend\n',
      'new\n',
    );
    expect(once).toBe('# callsheet\n\n<!-- commands -->\n\nnew\n\n<!-- /commands -->\n\nend\n');
    expect(withCommands(once, 'new\n')).toBe(once);
  });

  it('needs its markers', () => {
    expect(() => withCommands('# callsheet', '')).toThrow('<!-- commands -->');
  });
});
