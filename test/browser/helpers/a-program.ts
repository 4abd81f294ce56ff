import { openConsoleStore } from '../../../src/app/access/listening.ts';
import { createLink } from '../../../src/app/access/sessions.ts';
import type { Desk } from '../../helpers/callsheet.ts';
import { spawnCallsheet, type Process } from '../../helpers/compiled-program.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import type { Address } from './a-page.ts';

/**
 * The console as people start it: the compiled program, in a process of its own. For what a test cannot have in its own
 * process, e.g. that it is killed; otherwise `startTestConsole` is quicker and measured.
 */
export async function aProgram(
  at: Pick<Desk, 'cwd' | 'env'>,
  options: readonly string[] = [],
): Promise<Address & { process: Process }> {
  const process = spawnCallsheet(at, ['console', '--port', '0', '--json', ...options]);
  await process.written('}\n');
  const { url } = JSON.parse(process.output.out) as { url: string };
  return { url, link: await linkTo(url, at.cwd), process };
}

export async function linkTo(url: string, cwd: string): Promise<string> {
  const world = fakeWorld({ cwd });
  const access = await openConsoleStore({}, world);
  const { text } = await createLink(access, world);
  await access.close();
  return `${url}/link/${text}`;
}
