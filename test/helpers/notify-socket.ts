import { spawn, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** A service manager's end of sd_notify(3), as systemd has it: a Unix datagram socket that is told who sends. */
const RECEIVER = `
import json, socket, struct, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
name = sys.argv[1]
s.bind('\\0' + name[1:] if name.startswith('@') else name)
print(json.dumps({'text': 'listening', 'pid': 0}), flush=True)
while True:
    data, extra, _, _ = s.recvmsg(65536, 4096)
    pid = [struct.unpack('3i', d)[0] for l, t, d in extra if t == socket.SCM_CREDENTIALS][0]
    # systemd closes the descriptors that come with a BARRIER=1, which tells the helper that all was read.
    for l, t, d in extra:
        if t == socket.SCM_RIGHTS:
            for fd in struct.unpack('%di' % (len(d) // 4), d): socket.close(fd)
    print(json.dumps({'text': data.decode(), 'pid': pid}), flush=True)
`;

export interface Told {
  /** The assignments of the message, a line each. */
  lines: string[];
  /** Of the process that sent it. */
  pid: number;
}

/** Whether this machine can play the service manager: Node itself has no such sockets. */
export const canReceive = spawnSync('python3', ['--version']).status === 0;
export const hasHelper = spawnSync('systemd-notify', ['--version']).status === 0;

/** Listens at a socket, a path or a name that begins with @. */
export async function notifySocket(name: string) {
  const child = spawn('python3', ['-c', RECEIVER, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const told: Told[] = [];
  let rest = '';
  let look: () => void = () => undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { text, pid } = JSON.parse(line) as { text: string; pid: number };
      if (text !== 'BARRIER=1') told.push({ lines: text.split('\n'), pid });
    }
    look();
  });
  const heard = (line: string): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        if (told.some(({ lines }) => lines.includes(line))) resolve();
      };
      look();
    });
  await heard('listening');
  told.length = 0;
  return { told, heard };
}
