import {
  createFileRoute,
  lazyRouteComponent,
  type SearchSchemaInput,
  stripSearchParams,
} from '@tanstack/react-router';
import { type ProjectTab, projectTabs } from '#client/features/projects/project-tabs.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { choiceParam } from '#client/lib/search-params.ts';

const ProjectDetailPage = lazyRouteComponent(
  () => import('#client/features/projects/project-detail-page.tsx'),
  'ProjectDetailPage',
);

/** What is no number is asked for as 0, which no project bears: not found, like any unknown id. */
const idOf = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

export const Route = createFileRoute('/_console/projects/$id')({
  params: { parse: ({ id }) => ({ id: idOf(id) }), stringify: ({ id }) => ({ id: String(id) }) },
  validateSearch: (search: { tab?: ProjectTab } & SearchSchemaInput) => ({
    tab: choiceParam(search.tab, projectTabs, 'collections'),
  }),
  search: { middlewares: [stripSearchParams({ tab: 'collections' as const })] },
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
