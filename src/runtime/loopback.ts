/**
 * True for this machine: 127.0.0.0/8, ::1 and localhost (RFC 1122 3.2.1.3, RFC 4291 2.5.3, RFC 6761 6.3). Plain http is
 * allowed to such a service, and it cannot call real phones.
 * @param hostname as in `URL`: an IPv6 address is in brackets
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
