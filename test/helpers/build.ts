import { execFileSync } from 'node:child_process';

/** The tests that start callsheet as a process run the compiled program: compile it once, first. */
export default function build(): void {
  execFileSync(process.execPath, ['.config/prepare.mjs'], { stdio: 'inherit' });
}
