import { PageHead } from '../parts/page-head.tsx';

export default function AccessPage() {
  return <PageHead title="Access" />;
}
