import type { CampaignSettings } from '../../domain/campaign.ts';
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
  const listAge = strictestAge(ruleFiles);
  if (listAge === undefined) delete settings.listAge;
  else settings.listAge = listAge;
  return { settings, ruleFiles };
}

function strictestAge(files: readonly RuleFile[]): CampaignSettings['listAge'] {
  let strictest: CampaignSettings['listAge'];
  for (const { rule, listAge } of files)
    if (listAge !== null && rule.only === undefined && listAge.ms < (strictest?.ms ?? Infinity))
      strictest = { ms: listAge.ms, by: rule.name };
  return strictest;
}
