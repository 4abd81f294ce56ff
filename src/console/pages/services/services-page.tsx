import { PageHead } from '../parts/page-head.tsx';

export default function ServicesPage() {
  return <PageHead title="Services" />;
}
