import { appendFileSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/runtime/files.ts';
import { loadRule } from '../../../src/config/rules/load-rule.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

function folderWith(...files: string[]): string {
  const folder = tempFolder();
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `about: ${file}\n`);
  }
  return folder;
}

describe('a rule', () => {
  it('is found by name beside the campaign file, then at home, then in the package', () => {
    const beside = folderWith('rules/mine.yaml');
    const home = folderWith('campaigns/rules/mine.yaml', 'campaigns/rules/ours.yaml');
    expect(loadRule('mine', beside, home)).toMatchObject({
      about: 'rules/mine.yaml',
      shipped: false,
    });
    expect(loadRule('mine', undefined, home).about).toBe('campaigns/rules/mine.yaml');
    expect(loadRule('ours', beside, home).rule.name).toBe('ours');
    expect(loadRule('conservative', beside, home)).toMatchObject({ shipped: true });
  });

  it('is found by its path, from the folder of the campaign file', () => {
    const beside = folderWith('own/strict.yaml');
    expect(loadRule('own/strict.yaml', beside).rule.name).toBe('strict');
    expect(loadRule(join(beside, 'own/strict.yaml'), undefined).path).toBe(
      join(beside, 'own/strict.yaml'),
    );
  });

  it('of the operator cannot take the place of one that comes with callsheet', () => {
    const beside = folderWith('rules/conservative.yaml', 'us-states.yaml');
    for (const name of ['conservative', './us-states.yaml'])
      expect(() => loadRule(name, beside)).toThrow(
        expect.objectContaining({
          code: 'RULES_NAME_TAKEN',
          exitCode: 2,
          message: expect.stringContaining(`${beside}/`) as string,
          hint: expect.stringContaining('another name') as string,
        }) as Error,
      );
  });

  it('that comes with callsheet may be reached by a link', () => {
    const home = tempFolder();
    symlinkSync(join(packageRoot(), 'campaigns'), join(home, 'campaigns'));
    expect(loadRule('fr', undefined, home).shipped).toBe(true);
  });

  it('that comes with another installation, too, is the same one while its bytes are', () => {
    const beside = folderWith();
    const shipped = join(packageRoot(), 'campaigns', 'rules', 'us-states.yaml');
    const copy = join(beside, 'us-states.yaml');
    copyFileSync(shipped, copy);
    expect(loadRule(copy, undefined).shipped).toBe(true);
    appendFileSync(copy, '# mine\n');
    expect(() => loadRule(copy, undefined)).toThrow(
      expect.objectContaining({ code: 'RULES_NAME_TAKEN' }) as Error,
    );
  });

  it('that does not exist is refused with the nearest name, the places and all names', () => {
    const beside = folderWith();
    expect(() => loadRule('us-state', beside)).toThrow(
      expect.objectContaining({
        code: 'RULES_NOT_FOUND',
        exitCode: 2,
        message: expect.stringMatching(
          /^There are no rules "us-state" \(did you mean "us-states"\?\); looked for .*\/rules\/us-state\.yaml, .*campaigns\/rules\/us-state\.yaml\.$/,
        ) as string,
        hint: expect.stringContaining('always, au-telemarketing, be, ca, conservative') as string,
      }) as Error,
    );
    expect(() => loadRule('none/of.yaml', beside)).toThrow(
      /^There is no rule file .*none\/of\.yaml\.$/,
    );
    expect(() => loadRule('zone-overrides', beside)).toThrow(
      expect.objectContaining({ exitCode: 2 }) as Error,
    );
  });
});
