import { oneRule } from '../../../app/rules/rules.ts';
import { listRules, shownRules } from '../../../app/rules/show-rules.ts';
import { ruleWarnings } from '../../../config/rules/rule-file.ts';
import { checkedRules, rules, shownRules as shownView } from '../../../views/rules.ts';
import { defineCommand } from '../../args/command.ts';
import { countries } from '../../../app/sentences/rule-lines.ts';

export const list = defineCommand({
  examples: [['rules list', 'those that come with callsheet, and your own in campaigns/rules']],
  json: rules,
  run: async (_args, io) => {
    const json = listRules(io);
    const rows = json.items.map(({ name, about, appliesTo, shipped }) => [
      name,
      countries(appliesTo),
      `${about}${shipped ? '' : ' (your own)'}`,
    ]);
    return { json, table: [['NAME', 'FOR', 'ABOUT'], rows] };
  },
});

export const show = defineCommand({
  arguments: {
    rule: { describe: 'names of rules, or paths of your own', required: true, several: true },
  },
  options: {
    region: { describe: 'for people of this country or state, such as US-FL' },
    sources: { type: 'switch', describe: 'where each figure is from, also if that is long' },
  },
  examples: [
    ['rules show us-states --region US-FL', 'the week of people in Florida, and where it is from'],
    ['rules show conservative fr', 'what two rules come to, and which of them decides'],
  ],
  notes: `Of several rules the strictest decides, figure by figure. Hours of people whose state is not known are those of
--region US. A rule file is no legal advice: figures that are marked as weak are to be verified.`,
  json: shownView,
  run: async (args, io) => {
    const names = args.rule.flatMap((name) => name.split(','));
    const region = args.region ?? null;
    const json = shownRules({ names, region, withSources: args.sources }, io);
    return { json, lines: json.lines };
  },
});

export const check = defineCommand({
  arguments: {
    file: { describe: 'paths of rule files, or names of rules', required: true, several: true },
  },
  examples: [['rules check campaigns/rules/mine.yaml', 'in order, or every mistake with its line']],
  json: checkedRules,
  run: async (args, io) => {
    const files = args.file.map((name) => oneRule(name, io));
    const fine = files.map(({ path }) => `${path} is a rule file in order.`);
    const warnings = ruleWarnings(files);
    const json = files.map((file) => ({
      path: file.path,
      warnings: ruleWarnings([file]),
    }));
    return { json, told: [...fine, ...warnings] };
  },
});
