import type { Io } from '../io.ts';

/**
 * Whether whoever gave the command sits before a browser of this machine: on a terminal, not in a build, and with a
 * screen. Over SSH the screen is elsewhere, unless one is named.
 */
export function hasBrowser({
  env,
  platform,
  stdinIsTty,
  stderrIsTty,
}: Pick<Io, 'env' | 'platform' | 'stdinIsTty' | 'stderrIsTty'>): boolean {
  const { CI, SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = env;
  if (!stdinIsTty || !stderrIsTty || isSet(CI)) return false;
  if (platform === 'darwin' || platform === 'win32') return !isSet(SSH_CONNECTION);
  return [DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME].some(isSet);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
