import { EXIT } from '../../runtime/errors.ts';
import { commandWord, programWords, quoted, wholePath } from './systemd-words.ts';
import { KEYS_FILE, RESTART_AFTER_S, type UnitRequest } from './unit-request.ts';

/** systemd kills and restarts a `serve` that has not said for so long that its loop goes round. */
const WATCHDOG_S = 60;
/** Opening a large database, with the check for damage and a change of its tables, may take minutes. */
const START_WITHIN_S = 900;

/**
 * A unit for systemd, with how to install it.
 *
 * What is hardened, and what is not: options that imply `NoNewPrivileges=yes` (`PrivateDevices=`, `SystemCallFilter=`,
 * `RestrictAddressFamilies=` and others with `User=`, see systemd.exec(5)) would break notices by mail, as `sendmail` of
 * Postfix has to become the group of its queue. `ProtectSystem=strict` would break results and lists in folders that a
 * later campaign names.
 *
 * @throws AppError `FLAG_INVALID` (exit 2) for a path with control characters
 */
export function systemdUnit(request: UnitRequest): string {
  const { program, words, folder, env, user, writes, stopMs } = request;
  const [node, script] = program;
  const command = [programWords(node), ...[script, 'serve', ...words].map(commandWord)].join(' ');
  const paths = [node, script, folder, ...writes];
  return `${HEAD}
[Unit]
Description=callsheet serve: calls campaigns at their times and receives webhooks
Wants=network-online.target
After=network-online.target
# It is started again for as long as it takes: nobody may be there at night.
StartLimitIntervalSec=0

[Service]
Type=notify
# callsheet tells systemd by the program systemd-notify, which is another process: hence "all".
# systemd 253 or newer can open the socket for it. Then no other process is needed, and these two lines replace the next:
#OpenFile=/run/systemd/notify:notify
#NotifyAccess=main
NotifyAccess=all
${user === 'root' ? '# An account of its own, to which the folders below belong, is better than root.\n' : ''}User=${wholePath(user)}
WorkingDirectory=${wholePath(folder)}
${Object.entries(env)
  .map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`)
  .join('')}# The keys of services; a unit can be read by everybody, so they are never in here.
EnvironmentFile=-${KEYS_FILE}
ExecStart=${command}
Restart=on-failure
RestartSec=${RESTART_AFTER_S}
# A second signal ends it at once: that is a stop, not a failure.
SuccessExitStatus=${EXIT.interrupted}
# A mistake in flags or files, or something that needs a person: starting it again would not help.
RestartPreventExitStatus=${EXIT.usage} ${EXIT.person}
TimeoutStartSec=${START_WITHIN_S}
WatchdogSec=${WATCHDOG_S}
# At a stop no new call is started, and calls in progress are collected for up to a minute.
TimeoutStopSec=${stopMs / 1_000}
# Only callsheet gets the signal, not a command that tells of a notice.
KillMode=mixed
UMask=0077
ProtectSystem=full
ReadWritePaths=${writes.map((path) => quoted(`-${path}`)).join(' ')}
ProtectControlGroups=yes
${paths.some(isTemporary) ? '' : 'PrivateTmp=yes\n'}
[Install]
WantedBy=multi-user.target
`;
}

const HEAD = `# To install it:
#   callsheet serve --print-unit systemd > callsheet.service     (with the flags that serve shall have)
#   sudo cp callsheet.service /etc/systemd/system/callsheet.service
#   sudo install -m 600 /dev/null ${KEYS_FILE}    then write the keys into it, e.g. VOICE_API_KEY=...
#   sudo systemctl daemon-reload && sudo systemctl enable --now callsheet
#   systemctl status callsheet; journalctl -u callsheet
`;

function isTemporary(path: string): boolean {
  return /^(\/var)?\/tmp(\/|$)/.test(path);
}
