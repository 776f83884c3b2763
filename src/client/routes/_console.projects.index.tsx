import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { folderIcon } from '#client/components/display/icon-shapes.gen.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { listPageMax } from '#client/lib/page-of.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { textParam, wholeParam } from '#client/lib/search-params.ts';
import { currentWorkspace } from '#client/lib/selection.ts';

const ProjectsPage = lazyPage(() => import('#client/features/projects/projects-page.tsx'), 'ProjectsPage');

export const Route = createFileRoute('/_console/projects/')({
  staticData: {
    nav: {
      label: 'All Projects',
      icon: folderIcon,
      order: 70,
      letter: 'P',
      create: { label: 'New Project', dialog: 'create-project' },
    },
  },
  validateSearch: (search: { q?: string; page?: number } & SearchSchemaInput) => ({
    q: textParam(search.q, 200),
    page: wholeParam(search.page, { min: 1, max: listPageMax, fallback: 1 }),
  }),
  search: { middlewares: [stripSearchParams({ q: '', page: 1 })] },
  loader: async ({ context }) => {
    const workspace = currentWorkspace(await context.trpc.workspaces.list.ensureData());
    if (workspace) void context.trpc.projects.list.prefetch({ workspaceId: workspace.id });
  },
  head: () => pageTitle('Projects'),
  component: preloading(ProjectsPage, Projects),
});

function Projects() {
  const { q, page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ProjectsPage
      query={q}
      onQueryChange={(query) =>
        navigate({ search: { q: query, page: 1 }, replace: true, resetScroll: false })
      }
      page={page}
      onPageChange={(next) => navigate({ search: { q, page: next } })}
    />
  );
}
