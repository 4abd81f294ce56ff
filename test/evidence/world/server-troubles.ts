import type { Answer, Sent } from '../../../src/store/postgres/wire.ts';
import type { Process } from './process.ts';
import { ServerError, type Wire } from './wire.ts';
import type { Connection } from './connections.ts';

type Question = Parameters<Wire['ask']>[0];

interface TroubledWorld {
  random(): number;
  readonly crashes: { reach(process: Process): void };
  readonly disk: { troubleOf(sql: string): 'locked' | 'full' | 'io' | undefined };
  readonly watch: { onStatement(connection: Connection, sql: string): void };
}

/** What a process asks its server for, with all that goes wrong on the way. */
export function troubledWire(
  world: TroubledWorld,
  { process, wire, connection }: { process: Process; wire: Wire; connection: Connection },
) {
  const lost = () => {
    wire.lose();
    return new ServerError('the connection was lost', 'AWAY');
  };
  // Most transactions come to their end, as what is lost there is what matters.
  const mayFail = (sql: string) => sql === 'BEGIN' || sql === 'COMMIT' || world.random() < 0.02;
  return (question: Question, run: () => Answer): Answer => {
    if (!('statements' in question)) return run();
    const sql = kindOf(question.statements);
    if (sql === 'COMMIT') world.crashes.reach(process);
    const trouble = mayFail(sql) ? world.disk.troubleOf(sql) : undefined;
    if (trouble === 'locked') throw new ServerError('canceled: lock timeout', '55P03');
    if (trouble === 'full') throw new ServerError('could not extend file: No space left', '53100');
    // Half of the commits that are lost have reached the server.
    if (trouble === 'io' && (sql !== 'COMMIT' || world.random() < 0.5)) throw lost();
    const answer = run();
    for (const one of question.statements) world.watch.onStatement(connection, kindOf([one]));
    if (trouble === 'io') throw lost();
    if (sql === 'COMMIT') world.crashes.reach(process);
    return answer;
  };
}

/** As the simulation knows statements: a transaction begins and ends with others that go along. */
function kindOf(statements: readonly Sent[]): string {
  const [first = '', ...others] = statements.map((one) =>
    typeof one === 'string' ? one : one.text,
  );
  if ((others.at(-1) ?? first).endsWith('COMMIT')) return 'COMMIT';
  return first.startsWith('BEGIN') ? 'BEGIN' : first;
}
