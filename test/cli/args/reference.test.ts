import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withCommandReference } from '../../../src/cli/args/reference.ts';
import { packageRoot } from '../../../src/config/package-root.ts';

describe('the command reference', () => {
  it('of the README is what the help says (npm run docs writes it)', async () => {
    const readme = readFileSync(join(packageRoot(), 'README.md'), 'utf8');
    expect(await withCommandReference(readme)).toBe(readme);
  });

  it('replaces what stands between the markers and nothing else', async () => {
    const once = await withCommandReference(
      '# callsheet\n\n<!-- commands -->\nwas here before\n<!-- /commands -->\n\nend\n',
    );
    expect(once).toMatch(/^# callsheet\n\n<!-- commands -->\n\n```text\ncallsheet <command>/);
    expect(once).toContain('#### callsheet agents create\n\n```text\n');
    expect(once).toMatch(/```\n\n<!-- \/commands -->\n\nend\n$/);
    expect(once).not.toContain('was here before');
    expect(await withCommandReference(once)).toBe(once);
  });

  it('needs its markers', async () => {
    await expect(withCommandReference('# callsheet')).rejects.toThrow('<!-- commands -->');
  });
});
