// npm run check: all `check:...` scripts of package.json side by side, as linting alone takes longer than the others together.
// Prints what each says when it has ended.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

function run(name) {
  return new Promise((done) => {
    execFile('npm', ['run', name], { maxBuffer: Infinity }, (error, out, complaint) => {
      process.stdout.write(out + complaint + (error === null ? '' : `FAILED npm run ${name}\n`));
      if (error !== null) process.exitCode = 1;
      done();
    });
  });
}

await Promise.all(
  Object.keys(scripts)
    .filter((name) => name.startsWith('check:'))
    .map(run),
);
