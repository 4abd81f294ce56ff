// Between a machine and the server: holds bytes, refuses connections, and cuts answers of COMMIT.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** How the connection of a commit ends: the server never sees it, has answered it, or does one or the other. */
export const CUTS = ['before', 'after', 'meanwhile'];

/**
 * @param target gives the port of the server at which a new connection ends; undefined: there is none
 */
export async function startProxy(target) {
  const pairs = new Set();
  let isHeld = false;
  let isRefusing = false;
  /** Asked for by `cutNext`. */
  let next;

  const proxy = createServer((client) => {
    const port = target();
    if (isRefusing || port === undefined) {
      client.destroy();
      return;
    }
    const server = connect(port, '127.0.0.1');
    const pair = { client, server, held: [], cut: undefined };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server])
      socket.setNoDelay(true).on('error', end).on('close', end);
    pair.end = end;
    const pass = (to, bytes) => {
      if (isHeld) pair.held.push([to, bytes]);
      else if (!to.destroyed) to.write(bytes);
    };
    client.on('data', (bytes) => {
      const cut = isCommit(bytes) ? next : undefined;
      if (cut === undefined) {
        pass(server, bytes);
        return;
      }
      next = undefined;
      pair.cut = cut;
      if (cut.how !== 'before') server.write(bytes);
      if (cut.how === 'after') return;
      setImmediate(end);
      cut.done();
    });
    server.on('data', (bytes) => {
      if (pair.cut === undefined) {
        pass(client, bytes);
        return;
      }
      if (pair.cut.how !== 'after') return;
      end();
      pair.cut.done();
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');

  return {
    port: proxy.address().port,
    connections: () => pairs.size,
    /** Cuts the connection of the next commit. @returns true once it is cut, false if none came within the time */
    cutNext: (how, withinMs) =>
      new Promise((resolve) => {
        const late = setTimeout(() => {
          if (next === cut) next = undefined;
          resolve(cut.isDone);
        }, withinMs);
        const cut = {
          how,
          isDone: false,
          done: () => {
            cut.isDone = true;
            clearTimeout(late);
            resolve(true);
          },
        };
        next = cut;
      }),
    /** No byte passes, in neither direction; connections stay open. */
    hold: () => {
      isHeld = true;
    },
    /** Held bytes pass, or their connections end: the other side then never gets them. */
    release: (isLost) => {
      isHeld = false;
      for (const pair of pairs) {
        if (isLost) pair.end();
        else for (const [to, bytes] of pair.held) if (!to.destroyed) to.write(bytes);
        pair.held = [];
      }
    },
    refuse: (isOn) => {
      isRefusing = isOn;
      if (isOn) for (const pair of pairs) pair.end();
    },
    stop: () => {
      proxy.close();
      for (const pair of pairs) pair.end();
    },
  };
}

/** The text that ends a write transaction, which notes the commit first. */
function isCommit(bytes) {
  return bytes.includes('COMMIT') && bytes.includes('INSERT INTO commits');
}
