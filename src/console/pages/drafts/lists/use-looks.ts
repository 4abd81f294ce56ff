import { useEffect, useState } from 'preact/hooks';
import type { Draft, DraftColumns } from '../../../contract/drafts.ts';
import { path } from '../../api/addresses.ts';
import { get } from '../../api/client.ts';
import { useLoaded, type Loaded } from '../../api/loaded.ts';

/** What was found of each list of a draft; read again when the draft has changed, while the old one stays. */
export function useLooks({ id, version }: Draft): Loaded<DraftColumns> {
  const [first] = useState(version);
  const looks = useLoaded((signal) => get<DraftColumns>(path`/drafts/${id}/columns`, signal), [id]);
  useEffect(() => {
    if (version !== first) looks.reload();
  }, [version]);
  return looks;
}
