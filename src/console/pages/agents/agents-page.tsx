import { PageHead } from '../parts/page-head.tsx';

export default function AgentsPage() {
  return <PageHead title="Agents" />;
}
