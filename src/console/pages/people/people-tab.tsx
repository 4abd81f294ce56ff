import type { CampaignDetail } from '../../contract/campaigns.ts';
import { Loading } from '../parts/loading.tsx';

export default function PeopleTab({ campaign }: { campaign: CampaignDetail }) {
  return <Loading what={`the people of ${campaign.name}`} />;
}
