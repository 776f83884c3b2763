import { createLazyFileRoute } from '@tanstack/react-router';
import { ProjectDetailPage } from '#client/features/projects/project-detail-page.tsx';

export const Route = createLazyFileRoute('/_console/projects/$id')({ component: ProjectDetail });

function ProjectDetail() {
  const { id } = Route.useParams();
  const { tab } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ProjectDetailPage
      id={id}
      tab={tab}
      onTabChange={(next) => navigate({ search: { tab: next }, resetScroll: false })}
    />
  );
}
