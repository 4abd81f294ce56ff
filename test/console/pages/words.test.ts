import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { SECTIONS } from '../../../src/config/table/row.ts';
import { labelOf, SETTING_ROWS } from '../../../src/config/table/settings-table.ts';
import { root } from '../../docs/pages.ts';

/** The words that pages have for these things; each has one word alone. */
const OTHERS: readonly (readonly [wrong: RegExp, say: string])[] = [
  [/\bembedded\b/i, 'simulated'],
  [/\bconcurrency\b/i, 'calls at once'],
  [/\bpace\b/i, 'calls begun, at most'],
  [/\bslots?\b/i, 'calls at once, or calls in progress'],
  [/\bjobs?\b/i, 'what is in progress'],
  [/\ba run\b/i, 'calling'],
  [/\bwebhooks?\b/i, 'what a service sends'],
];

const files = readdirSync(join(root, 'src/console/pages'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .toSorted();

describe('the pages say one word for one thing', () => {
  it.each(files)('in %s', (file) => {
    const said = proseOf(readFileSync(join(root, 'src/console/pages', file), 'utf8'), file);
    const wrong = said.flatMap((text) =>
      OTHERS.filter(([other]) => other.test(text)).map(([, say]) => `${text.trim()}: say ${say}`),
    );
    expect(wrong).toEqual([]);
  });

  it('in the names of settings that are in sight', () => {
    const names = SETTING_ROWS.filter(([, { section }]) => SECTIONS.some((one) => one === section));
    const labels = names.map(([, row]) => labelOf(row));
    expect(labels.filter((text) => OTHERS.some(([other]) => other.test(text)))).toEqual([]);
  });
});

/** Texts of a page for people: those with a space or a capital in front. */
function proseOf(source: string, file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    const isText =
      ts.isJsxText(node) || ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
    // Classes and addresses are no prose.
    const { parent } = node as { parent?: ts.Node };
    const isName =
      parent !== undefined &&
      ts.isJsxAttribute(parent) &&
      /^(class|kind|href|id)$/.test(parent.name.getText());
    if (isText && !isName && (/^[A-Z]/.test(node.text) || /\S \S/.test(node.text)))
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found;
}
