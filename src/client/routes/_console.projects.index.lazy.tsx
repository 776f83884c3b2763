import { createLazyFileRoute } from '@tanstack/react-router';
import { ProjectsPage } from '#client/features/projects/projects-page.tsx';

export const Route = createLazyFileRoute('/_console/projects/')({ component: Projects });

function Projects() {
  const { q } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ProjectsPage
      query={q}
      onQueryChange={(query) => navigate({ search: { q: query }, replace: true, resetScroll: false })}
    />
  );
}
