// A process of ../run.mjs: runs tests in a copy of the source, as often as a message asks. It keeps vitest, and every module that
// vitest has compiled, from one fault to the next, since both take longer than most tests.
import { createVitest } from 'vitest/node';

let ended = [];
const vitest = await createVitest('test', {
  config: 'test/planted/runner/vitest.config.mjs',
  watch: false,
  bail: 1,
  reporters: [{ onTestModuleEnd: (module) => ended.push(module) }],
});
process.on('disconnect', () => process.exit(1));
process.on('message', (asked) => void answer(asked));
process.send('ready');

async function answer(asked) {
  try {
    process.send(await runTests(asked));
  } catch (error) {
    process.send({ problem: `the tests could not be run: ${error.stack}` });
  }
}

/**
 * `changed`: the file that has a fault now; it is compiled anew for these tests, and again after them.
 *
 * @returns `failed`: the title of the first test that failed; or `problem`: why that is not known
 */
async function runTests({ tests, named, changed }) {
  if (changed !== undefined) vitest.invalidateFile(changed);
  if (named === undefined) vitest.resetGlobalTestNamePattern();
  else vitest.setGlobalTestNamePattern(named);
  ended = [];
  const specifications = await vitest.globTestSpecifications(tests);
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  if (changed !== undefined) vitest.invalidateFile(changed);
  for (const module of ended) {
    const [failed] = module.children.allTests('failed');
    if (failed !== undefined) return { failed: failed.fullName };
  }
  for (const module of ended) {
    const [error] = module.errors();
    if (error !== undefined) {
      return { problem: `${module.relativeModuleId} did not load: ${error.message}` };
    }
  }
  if (ended.length >= tests.length) return {};
  const why = unhandledErrors.map(({ message }) => message).join(', ');
  return { problem: `${ended.length} of ${tests.length} test files were run ${why}` };
}
