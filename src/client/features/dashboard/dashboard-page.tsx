import { PageHeader } from '#client/components/page-header.tsx';

export function DashboardPage() {
  return <PageHeader title="Dashboard" />;
}
