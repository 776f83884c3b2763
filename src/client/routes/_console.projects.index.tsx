import {
  createFileRoute,
  lazyRouteComponent,
  type SearchSchemaInput,
  stripSearchParams,
} from '@tanstack/react-router';
import { folderIcon } from '#client/components/display/icon-shapes.gen.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { textParam } from '#client/lib/search-params.ts';
import { currentWorkspace } from '#client/lib/selection.ts';

const ProjectsPage = lazyRouteComponent(
  () => import('#client/features/projects/projects-page.tsx'),
  'ProjectsPage',
);

export const Route = createFileRoute('/_console/projects/')({
  staticData: {
    nav: {
      label: 'All Projects',
      icon: folderIcon,
      order: 70,
      create: { label: 'New Project', dialog: 'create-project' },
    },
  },
  validateSearch: (search: { q?: string } & SearchSchemaInput) => ({ q: textParam(search.q, 200) }),
  search: { middlewares: [stripSearchParams({ q: '' })] },
  loader: async ({ context }) => {
    const workspace = currentWorkspace(await context.trpc.workspaces.list.ensureData());
    if (workspace) void context.trpc.projects.list.prefetch({ workspaceId: workspace.id });
  },
  head: () => pageTitle('Projects'),
  component: preloading(ProjectsPage, Projects),
});

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
