// Type-aware lint: floating promises are this program's worst class of defect, and time and chance
// enter only through src/runtime, so that tests can hold both.
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const outsideWorld = [
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'Take a Clock (src/runtime/clock.ts): tests move the time.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Take a Clock (src/runtime/clock.ts): tests move the time.',
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Take a Random (src/runtime/random.ts): runs are repeatable from a seed.',
  },
  {
    selector: 'CallExpression[callee.name=/^(setTimeout|setInterval)$/]',
    message: 'Use clock.sleep (src/runtime/clock.ts): tests move the time.',
  },
  {
    selector: "CallExpression[callee.name='fetch']",
    message: 'fetch sends a POST again on 421 and follows 307: use undici.request in src/service.',
  },
];

const throughShown =
  'Print with output.ts or terminal.ts: foreign text must not steer the terminal or forge a line.';
const terminal = [
  { selector: 'MemberExpression[property.name=/^(stdout|stderr)$/]', message: throughShown },
  { selector: 'Property[key.name=/^(stdout|stderr)$/]', message: throughShown },
  { selector: "MemberExpression[object.name='console']", message: throughShown },
];

export default tseslint.config(
  { ignores: ['**/dist/', '**/coverage/', '**/*.mjs', '**/*.cjs'] },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './src/console/pages/tsconfig.json'],
        tsconfigRootDir: `${import.meta.dirname}/..`,
      },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // The port is async so that a store over a network fits it; an adapter need not await.
      '@typescript-eslint/require-await': 'off',
      'no-restricted-globals': [
        'error',
        { name: 'process', message: 'process belongs to cli and runtime; pass what you need.' },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    // A browser is the outside world: pages run there.
    ignores: ['src/runtime/**', 'src/console/pages/**'],
    rules: { 'no-restricted-syntax': ['error', ...outsideWorld] },
  },
  {
    files: ['src/cli/**/*.ts'],
    ignores: ['src/cli/terminal/terminal.ts', 'src/cli/bin.ts'],
    rules: { 'no-restricted-syntax': ['error', ...outsideWorld, ...terminal] },
  },
  { files: ['src/cli/**', 'src/runtime/**', 'test/**'], rules: { 'no-restricted-globals': 'off' } },
);
