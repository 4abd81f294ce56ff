// The thread that talks to PostgreSQL for a thread that waits: `connection.ts` posts a question and blocks until its
// answer is there. A question is `{ id, connect }`, `{ id, end }`, or `{ id, statements }`: texts, or
// `{ name, text, values }`, which go out together; the answer is that of the last one.
import { parentPort } from 'node:worker_threads';
import pg from 'pg';
import { SyncMessagePort } from 'sync-message-port';

const [BOOL, INT8, NUMERIC, JSON_TYPE, JSONB] = [16, 20, 1700, 114, 3802];
/** Values as SQLite gives them. */
const PARSERS = new Map([
  [BOOL, (text) => (text === 't' ? 1 : 0)],
  [INT8, Number],
  [NUMERIC, Number],
  [JSON_TYPE, String],
  [JSONB, String],
]);
const types = {
  getTypeParser: (oid, format) => PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format),
};

parentPort.on('message', (port) => {
  serve(new SyncMessagePort(port));
});

function serve(port) {
  let client;
  port.on('message', async (question) => {
    port.postMessage({ ...(await answerTo(question)), id: question.id });
    if (question.end) port.close();
  });

  async function answerTo({ connect, end, statements }) {
    try {
      if (connect !== undefined) {
        client = new pg.Client({ ...connect, types });
        // What is wrong with a connection is said by the next statement.
        client.on('error', () => undefined);
        await client.connect();
        return {};
      }
      if (end) {
        await client.end();
        return {};
      }
      const asked = statements.map((one) =>
        client.query(typeof one === 'string' ? one : { ...one, rowMode: 'array' }),
      );
      // All have ended before one is answered, so that no later one is still under way.
      const ended = await Promise.allSettled(asked);
      const failed = ended.find(({ status }) => status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      const { rows = [], fields = [], rowCount } = ended.at(-1).value;
      return { rows, columns: fields.map(({ name }) => name), changed: rowCount ?? 0 };
    } catch ({ message, code, detail }) {
      return { failed: { message, code, detail } };
    }
  }
}
