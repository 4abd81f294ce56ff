import type { NoticeTarget } from '../../domain/notices/target.ts';
import type { Store } from '../../store/port.ts';
import type { RefusedList } from '../lists/taking.ts';
import { campaignNight } from '../nights/campaign-night.ts';
import type { World } from '../world.ts';
import { writeNotice } from './write.ts';

/** Writes the notice `refusedList`: once a night for the same content, by whichever process refuses it. */
export async function writeRefusedList(
  { campaign, path, sha256, code, why, hint }: RefusedList,
  desk: { store: Store; own: readonly NoticeTarget[] },
  world: World,
): Promise<void> {
  const night = campaignNight(world.clock.now(), campaign.settings).date;
  const next = hint === null ? '' : ` Next: ${hint}.`;
  const text = `the list ${path} is refused: ${why}${next}`;
  const more = { list: { file: path, sha256, code } };
  const told = {
    event: 'refusedList',
    campaign,
    night,
    reason: sha256 ?? path,
    text,
    more,
  } as const;
  await writeNotice(told, desk, world);
}
