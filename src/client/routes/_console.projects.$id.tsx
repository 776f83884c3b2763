import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { type ProjectTab, projectTabs } from '#client/features/projects/project-tabs.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { listPageMax } from '#client/lib/page-of.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { choiceParam, idParam, wholeParam } from '#client/lib/search-params.ts';

const ProjectDetailPage = lazyPage(
  () => import('#client/features/projects/project-detail-page.tsx'),
  'ProjectDetailPage',
);

export const Route = createFileRoute('/_console/projects/$id')({
  params: { parse: ({ id }) => ({ id: idParam(id) }), stringify: ({ id }) => ({ id: String(id) }) },
  validateSearch: (search: { tab?: ProjectTab; page?: number } & SearchSchemaInput) => ({
    tab: choiceParam(search.tab, projectTabs, 'collections'),
    page: wholeParam(search.page, { min: 1, max: listPageMax, fallback: 1 }),
  }),
  search: { middlewares: [stripSearchParams({ tab: 'collections' as const, page: 1 })] },
  loader: async ({ context, params: { id } }) => {
    await Promise.all([
      context.trpc.projects.get.prefetch({ id }),
      context.trpc.collections.list.prefetch({ projectId: id }),
      context.trpc.apiKeys.list.prefetch({ projectId: id }),
    ]);
    return { name: context.trpc.projects.get.getData({ id })?.name ?? 'Project not found' };
  },
  head: ({ loaderData }) => pageTitle(loaderData?.name ?? 'Project', 'Projects'),
  component: preloading(ProjectDetailPage, ProjectDetail),
});

function ProjectDetail() {
  const { id } = Route.useParams();
  const { tab, page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ProjectDetailPage
      id={id}
      tab={tab}
      onTabChange={(next) => navigate({ search: { tab: next, page: 1 }, resetScroll: false })}
      page={page}
      onPageChange={(next) => navigate({ search: { tab, page: next } })}
    />
  );
}
