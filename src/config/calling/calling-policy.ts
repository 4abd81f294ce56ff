import type { CampaignSettings, ListAge } from '../../domain/campaign.ts';
import { composePolicy } from '../rules/compose-policy.ts';
import { allParts, loadRule } from '../rules/load-rule.ts';
import type { RuleFile } from '../rules/rule-file.ts';
import { loadZoneOverrides } from '../rules/zone-overrides.ts';

interface Places {
  /** The folder of the campaign file, absolute, if there is one. */
  beside: string | undefined;
  /** The folder that holds `campaigns/`, absolute; undefined: the package's own. */
  home: string | undefined;
}

/**
 * Settings with what their rules, hours and holidays come to. A rule of the operator's own is kept by its path, so that
 * the campaign can be run by its name, too.
 *
 * @throws AppError those of `loadRule` and `composePolicy` (exit 2)
 */
export function withPolicy(given: CampaignSettings, { beside, home }: Places) {
  const named = given.rules.map((name) => loadRule(name, beside, home));
  const ruleFiles = allParts(named);
  const settings: CampaignSettings = {
    ...given,
    rules: named.map(({ rule, path, shipped }) => (shipped ? rule.name : path)),
  };
  const policy = composePolicy(ruleFiles, settings, loadZoneOverrides());
  if (policy === undefined) delete settings.policy;
  else settings.policy = policy;
  const listAges = agesOf(ruleFiles);
  delete settings.listAge;
  if (listAges.length === 0) delete settings.listAges;
  else settings.listAges = listAges;
  return { settings, ruleFiles };
}

/** A rule that holds for one country alone names its registry as a duty; see `local`. */
function agesOf(files: readonly RuleFile[]): ListAge[] {
  return files.flatMap(({ rule, listAge, appliesTo }) => {
    if (listAge === null || rule.only !== undefined) return [];
    const { ms, registry, byArea } = listAge;
    return [{ ms, by: rule.name, registry, areasOf: byArea ? appliesTo : null }];
  });
}
