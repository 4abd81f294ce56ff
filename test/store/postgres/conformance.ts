import { inject, onTestFinished } from 'vitest';
import { journalledStore } from '../../../src/store/journal/journalled-store.ts';
import { createStore } from '../../../src/store/sql/store.ts';
import { storeConformance } from '../../conformance/store.ts';
import { diskFull, fileFailures } from '../../../src/store/sqlite/file/files.ts';
import { openPostgres } from './connection.ts';
import { POSTGRES_SCHEMA } from './schema.mjs';

/** A file's own cares: room on the disk, and a journal beside it. */
const room = {
  hasFreeSpace: () => true,
  hasRoom: () => true,
  timesGivenUp: () => 0,
  giveUp: () => false,
  full: () => diskFull(''),
};
const journal = { append: () => Promise.resolve(), close: () => undefined };
let schemas = 0;

storeConformance('PostgreSQL', async () => {
  const failures = fileFailures('');
  const path = `t${process.pid}_${schemas++}`;
  const connect = () => openPostgres(inject('postgres'), path);
  const once = (text: string) => {
    const db = connect();
    db.exec(text);
    db.close();
  };
  once(`CREATE SCHEMA ${path}; ${POSTGRES_SCHEMA}`);
  onTestFinished(() => {
    once(`DROP SCHEMA ${path} CASCADE`);
  });
  const open = () => {
    const db = connect();
    const close = () => db.close();
    const engine = { db, name: path, folder: '', openToRead: connect, failures, room, close };
    const store = journalledStore(createStore(engine), { journal, room });
    onTestFinished(() => store.close());
    return store;
  };
  const store = open();
  return {
    store,
    beside: () => Promise.resolve(open()),
    reopen: async () => {
      await store.close();
      return open();
    },
  };
});
