import { PageHead } from '../parts/page-head.tsx';

export default function LogPage() {
  return <PageHead title="Log" />;
}
