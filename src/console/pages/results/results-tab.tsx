import type { CampaignDetail } from '../../contract/campaigns.ts';
import { Loading } from '../parts/loading.tsx';

export default function ResultsTab({ campaign }: { campaign: CampaignDetail }) {
  return <Loading what={`the results of ${campaign.name}`} />;
}
