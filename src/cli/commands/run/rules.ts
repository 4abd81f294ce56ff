import { allRules, oneRule } from '../../../app/rules/rules.ts';
import { shownRules } from '../../../app/rules/show-rules.ts';
import { ruleWarnings, type RuleFile } from '../../../config/rules/rule-file.ts';
import { defineCommand } from '../../args/command.ts';
import { countries } from '../../../app/sentences/rule-lines.ts';

export const list = defineCommand({
  arguments: {},
  options: {},
  examples: [['rules list', 'those that come with callsheet, and your own in campaigns/rules']],
  run: async (_args, io) => {
    const files = allRules(io);
    const rows = files.map(({ rule, about, appliesTo, shipped }) => [
      rule.name,
      countries(appliesTo),
      `${about}${shipped ? '' : ' (your own)'}`,
    ]);
    return {
      json: files.map(({ rule, about, appliesTo, path, shipped }) => {
        return { name: rule.name, about, for: appliesTo, path, shipped };
      }),
      table: [['NAME', 'FOR', 'ABOUT'], rows],
    };
  },
});

export const show = defineCommand({
  arguments: {
    rule: { describe: 'names of rules, or paths of your own', required: true, several: true },
  },
  options: {
    region: { type: 'text', describe: 'for people of this country or state, such as US-FL' },
    sources: { type: 'switch', describe: 'where each figure is from, also if that is long' },
  },
  examples: [
    ['rules show us-states --region US-FL', 'the week of people in Florida, and where it is from'],
    ['rules show conservative fr', 'what two rules come to, and which of them decides'],
  ],
  notes: `Of several rules the strictest decides, figure by figure. Hours of people whose state is not known are those of
--region US. A rule file is no legal advice: figures that are marked as weak are to be verified.`,
  run: async (args, io) => {
    const names = args.rule.flatMap((name) => name.split(','));
    const region = args.region ?? null;
    const { files, limits, lines } = shownRules({ names, region, withSources: args.sources }, io);
    return { json: { rules: files.map(asJson), region, composed: limits }, lines };
  },
});

export const check = defineCommand({
  arguments: {
    file: { describe: 'paths of rule files, or names of rules', required: true, several: true },
  },
  options: {},
  examples: [['rules check campaigns/rules/mine.yaml', 'in order, or every mistake with its line']],
  run: async (args, io) => {
    const files = args.file.map((name) => oneRule(name, io));
    const fine = files.map(({ path }) => `${path} is a rule file in order.`);
    const warnings = ruleWarnings(files);
    const json = files.map((file) => ({
      path: file.path,
      ok: true,
      warnings: ruleWarnings([file]),
    }));
    return { json, told: [...fine, ...warnings] };
  },
});

function asJson({ rule, appliesTo, ...file }: RuleFile) {
  return { ...rule, for: appliesTo, ...file };
}
