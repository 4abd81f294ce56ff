import { PageHead } from '../parts/page-head.tsx';

export default function CampaignsPage() {
  return <PageHead title="Campaigns" />;
}
