import type { NoticeTarget } from '../../domain/notices/target.ts';
import type { Store } from '../../store/port.ts';
import { counted } from '../../text/plural.ts';
import type { RefusedList } from '../lists/taking.ts';
import { campaignNight } from '../nights/campaign-night.ts';
import type { World } from '../world.ts';
import { writeNotice } from './write.ts';

/** Writes the notice `refusedList`: once a night for the same content, by whichever process refuses it. */
export async function writeRefusedList(
  { campaign, path, sha256, code, why, hint, held }: RefusedList,
  desk: { store: Store; own: readonly NoticeTarget[] },
  world: World,
): Promise<void> {
  const night = campaignNight(world.clock.now(), campaign.settings).date;
  const next = hint === null ? '' : ` Next: ${hint}.`;
  const isMoved = held === null && campaign.settings.sources?.after === 'move';
  const where = isMoved ? ' It is in refused/ beside its place: mend it and put it back.' : '';
  const what =
    held === null ? `the list ${path} is refused` : `${counted(held, 'row')} of ${path} held back`;
  const text = `${what}: ${why}${where}${next}`;
  const more = { list: { file: path, sha256, code } };
  const about = sha256 ?? path;
  const told = { campaign, night, reason: code, about, text, more };
  await writeNotice({ event: 'refusedList', ...told }, desk, world);
}
