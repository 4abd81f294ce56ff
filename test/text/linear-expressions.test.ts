import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it, onTestFinished } from 'vitest';
import { slowText } from '../helpers/expressions/slow-expression.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Expressions of more than linear time, and why the text that they see is short. */
const OF_SHORT_TEXTS: Readonly<Record<string, string>> = {
  '/(\\.(csv|tsv|txt|ya?ml|jsonl?|xlsx|gz|zip))+$/i': 'of a name, cut to 100 characters before',
  '/Argument: (.+?), Given: (.+?), Choices: (.+)$/m': 'of what somebody has typed in a terminal',
  '/^(.+?)(?:\\s*[:=]\\s*|\\s[-–—]\\s|\\?\\s+)([^:=]+)$/':
    'of a statement of 80 characters at most',
  '/\\B(?=(\\d{3})+$)/g': 'of the digits of an amount, which is below 1e12',
};

/** Made from what is only known later, and from what. */
const MADE_LATER: Readonly<Record<string, string>> = {
  'src/leads/folders/candidates.ts': 'the glob of an operator, for names of files',
  'src/leads/phone/countries.ts': 'the plans of the library, for digits',
  'src/leads/zones/postal-codes.ts': 'the code of a country',
  'src/service/http/secrets.ts': 'a key, letter by letter',
};

/** Every expression that is written in the source, and every place that makes one. */
function expressionsOf(file: string) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const written: string[] = [];
  let makes = false;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) written.push(node.text);
    if (ts.isNewExpression(node) || ts.isCallExpression(node))
      makes ||= ts.isIdentifier(node.expression) && node.expression.text === 'RegExp';
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { file, written, makes };
}

const SOURCE = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => expressionsOf(`src/${name.replaceAll('\\', '/')}`));

/** Each expression once, with a file that has it. */
const WRITTEN = new Map(
  SOURCE.flatMap(({ file, written }) => written.map((one) => [one, file] as const)),
);

function slowTextOf(written: string): string | null {
  const end = written.lastIndexOf('/');
  return slowText({ source: written.slice(1, end), flags: written.slice(end + 1) });
}

describe('an expression takes linear time', () => {
  it('wherever the source writes one, unless what it reads is short', () => {
    const slow = [...WRITTEN].flatMap(([one, file]) => {
      const text = one in OF_SHORT_TEXTS ? null : slowTextOf(one);
      return text === null ? [] : [`${file}: ${one} for ${JSON.stringify(text)} again and again`];
    });
    expect(slow).toEqual([]);

    for (const one of Object.keys(OF_SHORT_TEXTS)) {
      expect(WRITTEN.has(one)).toBe(true);
      expect(slowTextOf(one)).not.toBeNull();
    }
  }, 120_000);

  it('wherever the source puts one together', async () => {
    const made: { at: string; expression: RegExp }[] = [];
    const Real = globalThis.RegExp;
    globalThis.RegExp = new Proxy(Real, {
      construct(target, given: [string, string?]) {
        const expression = new target(...given);
        // The line below those of the error and of this trap is the one that makes it.
        made.push({ at: new Error('here').stack?.split('\n')[2] ?? '', expression });
        return expression;
      },
    });
    onTestFinished(() => {
      globalThis.RegExp = Real;
    });
    const makers = SOURCE.filter(({ makes }) => makes).map(({ file }) => file);
    for (const file of makers) await import(join(ROOT, file));
    const { readRefusal } = await import('../../src/leads/columns/words/read-refusal.ts');
    readRefusal('Opt-out: only e-mail, previously until tomorrow', '2026-01-05');
    const { idInLocation } = await import('../../src/service/http/address.ts');
    expect(idInLocation('/v1/a/calls/c1', '/v1/{agent}/calls/{call_id}')).toBe('c1');
    const { isForm } = await import('../../src/service/webhooks/delivery.ts');
    expect(isForm('text/plain')).toBe(false);
    globalThis.RegExp = Real;

    const seen = (file: string) => made.filter(({ at }) => at.includes(file));
    expect(makers.filter((file) => seen(file).length === 0)).toEqual(Object.keys(MADE_LATER));
    const others = new Set(makers.flatMap(seen).map(({ expression }) => String(expression)));
    const slow = [...others].flatMap((one) => {
      const text = WRITTEN.has(one) ? null : slowTextOf(one);
      return text === null ? [] : [`${one} for ${JSON.stringify(text)}`];
    });
    expect(slow).toEqual([]);
  }, 120_000);
});

describe('the search for slow expressions', () => {
  it.each([
    /^(a+)+$/,
    /^(a|a)*b/,
    /^(a|b|ab)*c/,
    /\s+$/,
    /^a*.*b/,
    /<([^>]*)>/,
    /(?<=x)a.*b/,
    /(?<= *)x/,
    /^ *(?=.* x)/,
    /[a-z]+\d/iu,
    /^x$|y*z/m,
  ])('finds %s', (expression) => {
    expect(slowText(expression)).not.toBeNull();
  });

  it.each([
    /^a+b+$/,
    /a+/,
    /(?<!a)a+$/,
    /^(?:a|b)*c/,
    /<([^<>]*)>/,
    /^\s*\d+\s*$/,
    /\d{1,9}x/,
    /^ *x/m,
    /[a-z]+\d/y,
  ])('takes %s for linear', (expression) => {
    expect(slowText(expression)).toBeNull();
  });
});
