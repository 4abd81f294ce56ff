import type { Campaign, Store } from '../../store/port.ts';

/**
 * True when nobody chose the rules of a stored campaign: it has `always` as the default of a service on loopback, and
 * this default does not go live with it.
 */
export async function nobodyChoseRules(
  { id, settings }: Campaign,
  store: Pick<Store, 'history'>,
): Promise<boolean> {
  if (settings.rules.join() !== 'always') return false;
  const history = await store.history(id);
  return history.every(({ detail }) => {
    const isChosen = detail['rulesFrom'] === 'flag' || detail['rulesFrom'] === 'file';
    // Older versions started no campaign on a live service before somebody had chosen its rules.
    return !isChosen && detail['rules'] === undefined && detail['live'] !== true;
  });
}
