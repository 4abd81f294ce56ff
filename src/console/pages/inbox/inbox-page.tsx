import { PageHead } from '../parts/page-head.tsx';

export default function InboxPage() {
  return <PageHead title="Inbox" />;
}
