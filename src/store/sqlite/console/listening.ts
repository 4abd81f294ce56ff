import type { ListeningConsole } from '../../console.ts';
import type { Sql } from '../sql.ts';
import type { ConsoleMethods } from './methods.ts';

/** The table `listening`. */
export function listeningTable(sql: Sql) {
  const upsert = sql.run(
    'INSERT OR REPLACE INTO listening (url, owner, at) VALUES (@url, @owner, @at)',
  );
  const deleteOwn = sql.run('DELETE FROM listening WHERE url = @url AND owner = @owner');

  return {
    reads: {
      listening: sql.rows<[], ListeningConsole>(
        'SELECT url, owner, at FROM listening ORDER BY at DESC, url',
        { json: ['owner'] },
      ),
    } satisfies Partial<ConsoleMethods>,
    writes: {
      addListening: (console) => {
        upsert({ ...console, owner: JSON.stringify(console.owner) });
      },
      removeListening: ({ url, owner }) => {
        deleteOwn({ url, owner: JSON.stringify(owner) });
      },
    } satisfies Partial<ConsoleMethods>,
  };
}
