import type { RuleFile } from '../../config/rules/rule-file.ts';
import type { StrictestLimits } from '../../domain/calling/strictest.ts';
import { wrapped } from '../../text/wrapped.ts';
import { ruleReport } from '../sentences/rule-lines.ts';
import type { World } from '../world.ts';
import { composed, oneRule, rulesFor } from './rules.ts';
import { nextHoliday, stricterRegions } from './stricter-regions.ts';

/**
 * Rules as `callsheet rules show` tells them.
 *
 * @param request.region `US-FL`; null: what holds for everybody
 * @throws AppError those of `oneRule` and `composed` (exit 2)
 */
export function shownRules(
  request: { names: readonly string[]; region: string | null; withSources: boolean },
  world: World,
): { files: RuleFile[]; limits: StrictestLimits; lines: string[] } {
  const { names, region, withSources } = request;
  const files = names.map((name) => oneRule(name, world));
  const limits = composed(files, region);
  const holiday = region === null ? null : nextHoliday(region, world.clock.now());
  const stricter = region === null ? stricterRegions(files) : [];
  const shown = { names, region, withSources, nextHoliday: holiday };
  const lines = ruleReport(rulesFor(files, region), limits, stricter, shown);
  const parts = files.filter((file) => file.parts !== undefined);
  const about = parts.flatMap((file) => wrapped(`${file.rule.name}: `, file.about));
  return { files, limits, lines: [...about, ...lines] };
}
