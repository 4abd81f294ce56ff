import type { Figure, RuleFile } from '../../config/rules/rule-file.ts';
import { isWeak } from '../../config/rules/rule-warnings.ts';
import { wrapped } from '../../text/wrapped.ts';

/** The source of each figure that holds for everybody, or for the region. */
export function sourceLines(files: readonly RuleFile[], region: string | null): string[] {
  const lines = files.flatMap(({ rule, figures }) =>
    figures
      .filter((figure) => isOf(figure, region))
      .flatMap((figure) => sourceLine(rule.name, figure)),
  );
  return lines.length === 0
    ? []
    : [
        '',
        'Sources (S law, L quotes, law firms, press, T trade, M measured, J judgement)',
        ...lines,
      ];
}

/** Whether a figure holds for everybody, or for the region. */
export function isOf({ where }: Figure, region: string | null): boolean {
  const [first = '', rest] = where.split(' ');
  return rest === undefined || first === region;
}

function sourceLine(name: string, figure: Figure): string[] {
  const { where, value, source, grade, checked } = figure;
  const weak = isWeak(figure) ? ' WEAK, verify it' : '';
  const day = checked === '' ? '' : `, checked ${checked}`;
  return wrapped(`  ${grade} `, `${name} ${where} (${value}): ${source}${day}${weak}`);
}

/** The figures that are not well known have to be seen in any case. */
export function whereSourcesAre(
  files: readonly RuleFile[],
  { names, region }: { names: readonly string[]; region: string | null },
): string[] {
  const weak = files.flatMap(({ rule, figures }) =>
    figures
      .filter((figure) => isOf(figure, region) && isWeak(figure))
      .map(({ where }) => `${rule.name} ${where}`),
  );
  const of = region === null ? '' : ` --region ${region}`;
  return [
    '',
    ...(weak.length === 0
      ? []
      : wrapped('', `Weak, to be verified: ${[...new Set(weak)].join(', ')}.`)),
    ...wrapped(
      '',
      `Sources of each figure: \`callsheet rules show ${names.join(' ')}${of} --sources\``,
    ),
  ];
}
