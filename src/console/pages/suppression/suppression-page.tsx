import { PageHead } from '../parts/page-head.tsx';

export default function SuppressionPage() {
  return <PageHead title="Suppression" />;
}
