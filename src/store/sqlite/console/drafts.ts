import type { Draft, Upload } from '../../console.ts';
import type { Sql } from '../sql.ts';
import type { ConsoleMethods } from './connection.ts';

const MOST_DRAFTS = 200;
const COLUMNS = 'id, at, changed_at AS changedAt, who, version, body, campaign';

/** The tables `drafts` and `uploads`. */
export function draftTables(sql: Sql) {
  const insert = sql.run(
    `INSERT INTO drafts (id, at, changed_at, who, version, body) VALUES (@id, @at, @at, @who, 1, @body)`,
  );
  const find = sql.row<[id: string], Draft>(`SELECT ${COLUMNS} FROM drafts WHERE id = ?`, {
    json: ['body'],
  });
  const update = sql.run(
    `UPDATE drafts SET version = version + 1, changed_at = @changedAt, who = @who, body = @body
     WHERE id = @id AND version = @version`,
  );
  const updateCampaign = sql.run('UPDATE drafts SET campaign = @campaign WHERE id = @id');
  const deleteDraft = sql.run('DELETE FROM drafts WHERE id = ?');
  const insertUpload = sql.run(
    'INSERT INTO uploads (id, name, path, bytes, at, draft) VALUES (@id, @name, @path, @bytes, @at, @draft)',
  );
  const selectUploads = sql.rows<[{ draft: string | null; before: number | null }], Upload>(
    `SELECT id, name, path, bytes, at, draft FROM uploads
     WHERE (@draft IS NULL OR draft = @draft) AND (@before IS NULL OR at < @before) ORDER BY at, id`,
  );
  const updateUpload = sql.run('UPDATE uploads SET draft = @draft WHERE id = @id');
  const deleteUpload = sql.run('DELETE FROM uploads WHERE id = ?');

  return {
    reads: {
      findDraft: find,
      drafts: sql.rows<[], Draft>(
        `SELECT ${COLUMNS} FROM drafts ORDER BY changed_at DESC, id LIMIT ${MOST_DRAFTS}`,
        { json: ['body'] },
      ),
      findUpload: sql.row<[id: string], Upload>(
        'SELECT id, name, path, bytes, at, draft FROM uploads WHERE id = ?',
      ),
      uploads: ({ draft = null, before = null } = {}) => selectUploads({ draft, before }),
    } satisfies Partial<ConsoleMethods>,
    writes: {
      addDraft: ({ id, at, who, body }) => {
        insert({ id, at, who, body: JSON.stringify(body) });
        return { id, at, changedAt: at, who, version: 1, body, campaign: null };
      },
      changeDraft: (change) => {
        const changed = update({ ...change, body: JSON.stringify(change.body) });
        return changed === 1 ? find(change.id) : undefined;
      },
      setDraftCampaign: (draft) => updateCampaign(draft) === 1,
      removeDraft: (id) => deleteDraft(id) === 1,
      addUpload: (upload) => {
        insertUpload(upload);
      },
      setUploadDraft: (upload) => updateUpload(upload) === 1,
      removeUpload: (id) => deleteUpload(id) === 1,
    } satisfies Partial<ConsoleMethods>,
  };
}
