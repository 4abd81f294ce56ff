import { PageHead } from '../parts/page-head.tsx';

export default function SchedulePage() {
  return <PageHead title="Schedule" />;
}
