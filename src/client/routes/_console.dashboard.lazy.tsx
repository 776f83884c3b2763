import { createLazyFileRoute } from '@tanstack/react-router';
import { DashboardPage } from '#client/features/dashboard/dashboard-page.tsx';

export const Route = createLazyFileRoute('/_console/dashboard')({ component: DashboardPage });
