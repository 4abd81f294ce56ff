import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { campaignNameOf, loadCampaignFile, type CampaignFile } from '../config/campaign-file.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import { STANDARD_INPUT } from './list-input.ts';

/** What the words `<list|campaign.yaml|campaign>` mean. */
export interface Target {
  /** The campaign's name, unless --name says another. */
  name: string;
  /** Absolute paths of the lists it brings along. */
  lists: string[];
  file: CampaignFile | undefined;
}

/**
 * `-` is a list on standard input, a `.yaml` a campaign file, another file (or what looks like one) is a list, everything else is the
 * name of a campaign.
 *
 * @throws AppError `CAMPAIGN_FILE_...`, `LIST_NOT_FOUND` (exit 2)
 */
export function readTarget(text: string, cwd: string): Target {
  if (text === '-') return { name: STANDARD_INPUT, lists: ['-'], file: undefined };
  const path = resolve(cwd, text);
  if (/\.ya?ml$/i.test(text)) {
    const file = loadCampaignFile(text, cwd);
    return { name: file.name, lists: file.values.leads ?? [], file };
  }
  const isOfFile = /[/\\]|\.(csv|tsv|txt|gz|zip|xlsx?|ods|numbers)$/i.test(text);
  // A campaign may be called as a folder is.
  if (existsSync(path) && (isOfFile || !statSync(path).isDirectory())) {
    return { name: campaignNameOf(text), lists: [path], file: undefined };
  }
  if (isOfFile) {
    throw new AppError('LIST_NOT_FOUND', `There is no list at ${path}.`, {
      hint: 'check the path; a campaign is named without folder and ending',
      exitCode: EXIT.usage,
    });
  }
  return { name: text, lists: [], file: undefined };
}
