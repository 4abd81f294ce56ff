import type { Upload } from '../../console.ts';
import type { Sql } from '../sql.ts';
import type { ConsoleMethods } from './connection.ts';

/** The table `uploads`. */
export function uploadTable(sql: Sql) {
  const insert = sql.run(
    'INSERT INTO uploads (id, name, path, bytes, at) VALUES (@id, @name, @path, @bytes, @at)',
  );
  const remove = sql.run('DELETE FROM uploads WHERE id = ?');
  const select = 'SELECT id, name, path, bytes, at FROM uploads';
  return {
    reads: {
      findUpload: sql.row<[id: string], Upload>(`${select} WHERE id = ?`),
      uploads: sql.rows<[], Upload>(`${select} ORDER BY at, id`),
    } satisfies Partial<ConsoleMethods>,
    writes: {
      addUpload: (upload) => {
        insert(upload);
      },
      removeUpload: (id) => remove(id) === 1,
    } satisfies Partial<ConsoleMethods>,
  };
}
