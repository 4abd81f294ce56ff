import { join } from 'node:path';
import { invalidFlag } from '../../config/hints.ts';
import { RESTART_AFTER_S, type UnitRequest } from './unit-request.ts';

const LABEL = 'local.callsheet.serve';

/**
 * A property list for launchd of macOS, with how to install it; launchd.plist(5) has the keys. launchd has no watchdog
 * and no file of variables: the health address tells whether it is alive, and keys come from `keyFile`.
 *
 * @throws AppError `FLAG_INVALID` (exit 2) for a path with characters that XML does not have
 */
export function launchdPlist(request: UnitRequest): string {
  const { program, words, folder, env, writes, stopMs } = request;
  const logs = writes[0] ?? folder;
  const strings = [...program, 'serve', ...words].map((word) => `    ${string(word)}\n`).join('');
  const variables = Object.entries(env).map(([name, value]) => `    ${entry(name, value)}\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- To install it, write what "callsheet serve" prints for launchd, with the flags that serve shall have, to
     ~/Library/LaunchAgents/${LABEL}.plist
     launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/${LABEL}.plist
     launchctl print gui/$(id -u)/${LABEL}
     For a machine where nobody logs in: /Library/LaunchDaemons, bootstrap system, and a UserName.
     Keys are never in here: name a keyFile for each service in services.yaml. -->
<plist version="1.0">
<dict>
  ${entry('Label', LABEL)}
  <key>ProgramArguments</key>
  <array>
${strings}  </array>
  ${entry('WorkingDirectory', folder)}
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('')}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <!-- Started again after a failure, not after a stop. -->
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>${RESTART_AFTER_S}</integer>
  <!-- At a stop no new call is started, and calls in progress are collected for up to a minute. -->
  <key>ExitTimeOut</key>
  <integer>${stopMs / 1_000}</integer>
  <!-- 077: what it writes is its own. -->
  <key>Umask</key>
  <integer>63</integer>
  ${entry('StandardOutPath', join(logs, 'serve.out.log'))}
  ${entry('StandardErrorPath', join(logs, 'serve.log'))}
</dict>
</plist>
`;
}

function entry(name: string, value: string): string {
  return `<key>${escaped(name)}</key>\n  ${string(value)}`;
}

function string(text: string): string {
  return `<string>${escaped(text)}</string>`;
}

function escaped(text: string): string {
  // XML has no way to say most of these, and a line break in a path is a mistake.
  // eslint-disable-next-line no-control-regex -- it is control characters that are looked for
  if (/[\u0000-\u001f\u007f\ufffe\uffff]|\p{Surrogate}/u.test(text))
    throw invalidFlag(
      `${JSON.stringify(text)} holds a control character, which a property list cannot say; use another path or name.`,
    );
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
