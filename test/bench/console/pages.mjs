// Pages of a campaign that lie open: what each asks for, over plain sockets and with nothing read, as the processors
// are those of the campaign.
import { connect } from 'node:net';

/** The campaign itself, with its calls. */
const EVERY_MS = 1_000;
const AGAIN_MS = 5_000;

/** One page for each name of a campaign; they were opened one after the other. */
export function openPages({ url, token }, campaigns) {
  const { hostname, port } = new URL(url);
  const stops = campaigns.map((campaign, n) => openPage({ hostname, port, token }, campaign, n));
  return {
    close: () => {
      for (const stop of stops) stop();
    },
  };
}

function openPage(server, campaign, n) {
  const at = `/api/v1/campaigns/${encodeURIComponent(campaign)}`;
  const figures = send(server);
  const table = send(server);
  const again = () => {
    table.ask(`${at}/people`);
    table.ask(`${at}/filters`);
  };
  const every = setInterval(() => {
    figures.ask(at);
  }, EVERY_MS);
  again();
  let repeat;
  const first = setTimeout(() => {
    repeat = setInterval(again, AGAIN_MS);
  }, n * 1_000);
  return () => {
    clearTimeout(first);
    clearInterval(repeat);
    clearInterval(every);
    figures.end();
    table.end();
  };
}

function send({ hostname, port, token }) {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.on('error', () => undefined);
  socket.resume();
  return {
    ask: (path) => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
    },
    end: () => socket.destroy(),
  };
}
