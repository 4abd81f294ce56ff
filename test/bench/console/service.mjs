// The service that is called, in a process of its own, and a file that names it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../service.mjs', import.meta.url));

export async function startService(folder) {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = String((await once(child.stdout, 'data'))[0]).trim();
  const file = join(folder, 'services.yaml');
  writeFileSync(file, `bench:\n  url: ${url}\n`);
  const ask = async (path) => {
    const answer = await fetch(url + path, { headers: { authorization: 'Bearer bench' } });
    return answer.json();
  };
  return {
    url,
    file,
    /** Forgets all calls; each lasts so long from now on. */
    reset: (callMs) => ask(`/reset/${callMs}`),
    ledger: () => ask('/ledger'),
    stop: () => child.kill(),
  };
}
