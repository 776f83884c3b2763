import { PageHeader } from '#client/components/display/page-header.tsx';
import { PageSpinner } from '#client/components/feedback/page-spinner.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { ApiUsagePanel } from './api-usage-panel.tsx';
import { dashboardScope } from './dashboard-inputs.ts';
import classes from './dashboard-page.module.css';
import { FirstSteps, useFirstSteps } from './first-steps.tsx';
import { QuickActions } from './quick-actions.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { RecentCollections } from './recent-collections.tsx';
import { StatCards } from './stat-cards.tsx';

/** What the chosen workspace holds and does. */
export function DashboardPage() {
  const { user, isLoading } = useAuth();
  const { workspace, project } = useWorkspace();
  const { steps, isShown, putAway } = useFirstSteps(workspace?.id);
  if (isLoading) return <PageSpinner />;
  if (!user) return null;
  const scope = dashboardScope({ workspace, project });
  return (
    <>
      <PageHeader
        title="Dashboard"
        description={
          workspace
            ? `What is stored and searched in ${(project ?? workspace).name}`
            : 'What you store and search'
        }
      />
      {isShown && (
        <div className={classes['first']}>
          <FirstSteps steps={steps} onPutAway={putAway} />
        </div>
      )}
      <StatCards scope={scope} />
      <div className={classes['columns']}>
        <div className={classes['column']}>
          <RecentCollections scope={scope} offersSamples={!isShown} />
          <ApiUsagePanel scope={scope} />
        </div>
        <div className={classes['column']}>
          <QuickActions />
          <RecentActivity scope={scope} />
        </div>
      </div>
    </>
  );
}
