import type { CampaignSettings } from '../domain/campaign.ts';
import type { CallingPolicy } from '../domain/calling/policy.ts';
import { composePolicy } from './rules/compose.ts';
import { loadRule, type RuleFile } from './rules/load-rule.ts';
import { loadZoneOverrides } from './rules/zone-overrides.ts';
import type { SettingChange } from './setting-changes.ts';

interface PolicyInput {
  stored: CampaignSettings | undefined;
  /** The folder of the campaign file, absolute, if there is one. */
  beside: string | undefined;
}

/**
 * Settings with what their rules, hours and holidays come to. A rule of the operator's own is kept by its path, so that
 * the campaign can be run by its name, too.
 *
 * @returns `edited`: what differs from the stored policy although no setting differs, as a rule's file has changed
 * @throws AppError those of `loadRule` and `composePolicy` (exit 2)
 */
export function withPolicy(given: CampaignSettings, { stored, beside }: PolicyInput) {
  const ruleFiles = given.rules.map((name) => loadRule(name, beside));
  const { policy: _, listAge: __, ...rest } = given;
  const settings: CampaignSettings = {
    ...rest,
    rules: ruleFiles.map(({ rule, path, shipped }) => (shipped ? rule.name : path)),
  };
  const policy = composePolicy(ruleFiles, settings, loadZoneOverrides());
  if (policy !== undefined) settings.policy = policy;
  const listAge = strictestAge(ruleFiles);
  if (listAge !== undefined) settings.listAge = listAge;
  return { settings, ruleFiles, edited: stored === undefined ? [] : editedIn(stored, settings) };
}

function strictestAge(files: readonly RuleFile[]): CampaignSettings['listAge'] {
  let strictest: CampaignSettings['listAge'];
  for (const { rule, listMaxAgeMs: ms } of files)
    if (ms !== null && ms < (strictest?.ms ?? Infinity)) strictest = { ms, by: rule.name };
  return strictest;
}

function editedIn(stored: CampaignSettings, settings: CampaignSettings): SettingChange[] {
  const change = (key: string): SettingChange => ({
    key,
    from: 'as read before',
    to: 'its content changed',
    source: 'its file',
  });
  const before = stored.policy?.rules ?? [];
  const rules = (settings.policy?.rules ?? []).filter((rule) => {
    const old = before.find(({ name }) => name === rule.name);
    return old !== undefined && !isSame(old, rule);
  });
  const overrides = (policy: CallingPolicy | undefined) => policy?.zoneOverrides ?? [];
  const isMended =
    stored.policy !== undefined && !isSame(overrides(stored.policy), overrides(settings.policy));
  return [
    ...rules.map(({ name }) => change(`rules ${name}`)),
    ...(isMended && settings.policy !== undefined ? [change('zone-overrides.yaml')] : []),
  ];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
