import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCampaignFile } from '../../src/config/campaign-file.ts';
import { resolveSettings, type SettingsInput } from '../../src/config/settings.ts';
import { AppError } from '../../src/runtime/errors.ts';
import { tempFolder } from '../helpers/files/temp.ts';

/** The settings of a campaign in Berlin whose service has an agent. */
export const resolve = ({ defaults, ...input }: Partial<SettingsInput>) =>
  resolveSettings({
    cwd: '/folder',
    ...input,
    defaults: defaults ?? { timezone: 'Europe/Berlin', agent: 'ag_0' },
  });

/** Those of `--set`. */
export const set = (...sets: string[]) => resolve({ sets }).settings;

/** @param ownRule a file of rules beside it, `ours` */
export function fileWith(yaml: string, ownRule?: string) {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'spring.yaml'), `leads: a.csv\n${yaml}\n`);
  if (ownRule !== undefined) {
    mkdirSync(join(cwd, 'rules'));
    writeFileSync(join(cwd, 'rules', 'ours.yaml'), ownRule);
  }
  return loadCampaignFile('spring.yaml', cwd);
}

export function refusalOf(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('an AppError was expected');
}
