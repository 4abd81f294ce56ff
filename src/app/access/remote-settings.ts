import { isPath } from '../../config/campaign-file.ts';
import { usageError } from '../../runtime/errors.ts';
import { shellWord } from '../../text/shell-word.ts';
import { own } from '../../domain/lists/own.ts';

/**
 * Refuses settings by which whoever uses the console would reach the machine that it runs on: a program that is told of
 * the end, a file that results are written to, a file that is read as rules, a key that is sent with a list. Whoever may
 * run campaigns is not thereby somebody who has a shell here.
 *
 * @param sets `key=value`, as `callsheet set` takes them
 * @throws AppError `SETTING_NOT_HERE` (exit 2)
 */
export function requireRemoteSettings(sets: readonly string[], campaign: string): void {
  for (const set of sets) {
    const [, key = '', value = ''] = /^([^=]*)=?(.*)/s.exec(set) ?? [];
    const name = key.trim();
    const reaches =
      own(REACHING, name) ??
      (name === 'rules' && value.split(',').some((rule) => isPath(rule.trim())));
    if (reaches === false) continue;
    throw usageError(
      'SETTING_NOT_HERE',
      `"${name}" ${reaches === true ? 'names a file of this machine' : reaches}, so it is not set from a page.`,
      `set it in a terminal there: \`callsheet set ${shellWord(campaign)} ${name}=...\``,
    );
  }
}

const REACHING: Readonly<Record<string, string>> = {
  notify: 'can start programs of this machine',
  'results.file': 'is a file of this machine',
  leadsKeyEnv: 'sends a key of this machine',
};
