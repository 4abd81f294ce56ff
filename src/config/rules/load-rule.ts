import type { RuleFile } from './rule-file.ts';

/**
 * Finds and reads a rule file. A name is looked up in `rules/` beside the campaign file, in `campaigns/rules/` of `home`,
 * then in the package; a path (with a slash or `.yaml`) is used directly, from `beside` if it is relative.
 *
 * @param beside the folder of the campaign file, absolute, if there is one
 * @param home the folder that holds `campaigns/`, absolute, if it is not the package's own
 * @throws AppError `RULES_NOT_FOUND`, `RULES_INVALID`, `RULES_NAME_TAKEN` (exit 2)
 */
export function loadRule(name: string, beside: string | undefined, home?: string): RuleFile {
  throw new Error(`not written yet: ${name} ${beside ?? ''} ${home ?? ''}`);
}
