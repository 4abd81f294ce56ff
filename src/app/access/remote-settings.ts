import { isPath } from '../../config/campaign-file.ts';
import { rowOf } from '../../config/table/settings-table.ts';
import { usageError } from '../../runtime/errors.ts';
import { shellWord } from '../../text/shell-word.ts';

/**
 * Refuses settings that reach the machine of the console: a program that gets notices, a file that results are written to
 * or rules are read from, a key that is sent with a list. A person who may run campaigns need not have a shell here.
 *
 * @param sets `key=value`, as `callsheet set` takes them
 * @throws AppError `SETTING_NOT_HERE` (exit 2)
 */
export function requireRemoteSettings(sets: readonly string[], campaign: string): void {
  for (const set of sets) {
    const [, key = '', value = ''] = /^([^=]*)=?(.*)/s.exec(set) ?? [];
    const name = key.trim();
    const reason =
      name === 'rules' && value.split(',').some((rule) => isPath(rule.trim()))
        ? 'names a file of this machine'
        : rowOf(name)?.onlyHere;
    if (reason === undefined) continue;
    throw usageError(
      'SETTING_NOT_HERE',
      `"${name}" ${reason}, so it is not set from a page.`,
      `set it in a terminal there: \`callsheet set ${shellWord(campaign)} ${name}=...\``,
    );
  }
}
