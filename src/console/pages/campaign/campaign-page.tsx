import { PageHead } from '../parts/page-head.tsx';

export default function CampaignPage() {
  return <PageHead title="Campaign" />;
}
