import { PageHead } from '../parts/page-head.tsx';

export default function NewPage() {
  return <PageHead title="New" />;
}
