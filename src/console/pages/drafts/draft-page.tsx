import { PageHead } from '../parts/page-head.tsx';

export default function DraftPage() {
  return <PageHead title="Draft" />;
}
