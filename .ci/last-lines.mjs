// node .ci/last-lines.mjs FOLDER: prints what failed in the parts of `.ci/run`, whose reports are in that folder, and how many
// tests passed. Exit 1 if anything failed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const tests = join(folder, 'tests.json');
const report = existsSync(tests) ? JSON.parse(readFileSync(tests, 'utf8')) : { testResults: [] };

const failures = [...linesOfParts(), ...report.testResults.flatMap(failuresOf)];
for (const failure of failures) console.log(failure);
const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = report;
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
process.exitCode = failures.length === 0 && numPassedTests > 0 ? 0 : 1;

/** The parts print a line that begins so for each failure, with the command that shows it again. */
function linesOfParts() {
  return (
    readdirSync(folder)
      .filter((name) => name.endsWith('.txt'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
      // Vitest names a limit of coverage that is not met nowhere else.
      .filter((line) => line.startsWith('FAILED ') || line.startsWith('ERROR: Coverage'))
  );
}

function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (status === 'failed' && failed.length === 0)
    return [`FAILED ${name}: ${message.slice(0, 500)}`];
  return failed.map(
    ({ fullName, failureMessages }) =>
      `FAILED ${name}: ${fullName}\n  ${failureMessages[0].slice(0, 500)}`,
  );
}
