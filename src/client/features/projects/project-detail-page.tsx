import { Button, Group, SimpleGrid, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import {
  activityIcon,
  arrowLeftIcon,
  fileTextIcon,
  folderIcon,
  keyIcon,
  pencilIcon,
  stack2Icon,
} from '#client/components/display/icon-shapes.gen.ts';
import { AnchorLink, ButtonLink } from '#client/components/display/links.tsx';
import { PageHeader } from '#client/components/display/page-header.tsx';
import { StatCard } from '#client/components/display/stat-card.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { isNotFound } from '#client/lib/error-message.ts';
import { formatDate } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';
import type { Project } from '#shared/projects.ts';
import { ApiKeysPanel } from './api-keys-panel.tsx';
import { CollectionsPanel, type ListState } from './collections-panel.tsx';
import { type ProjectTab, projectTabs } from './project-tabs.ts';

interface ProjectDetailPageProps {
  /** As it stands in the address; 0 for what cannot be an id. */
  id: number;
  tab: ProjectTab;
  onTabChange: (tab: ProjectTab) => void;
  /** Of the collections. */
  page: number;
  onPageChange: (page: number) => void;
}

export function ProjectDetailPage({ id, ...rest }: ProjectDetailPageProps) {
  const query = trpc.projects.get.useQuery({ id });
  if (query.isError && isNotFound(query.error)) return <ProjectNotFound />;
  if (query.isError)
    return <ErrorView error={query.error} title="Failed to fetch project" onRetry={query.refetch} />;
  if (!query.data) return <DetailSkeleton />;
  return <ProjectDetail project={query.data} {...rest} />;
}

function ProjectDetail({
  project,
  tab,
  onTabChange,
  page,
  onPageChange,
}: Omit<ProjectDetailPageProps, 'id'> & { project: Project }) {
  const collections = trpc.collections.list.useQuery({ projectId: project.id });
  const keys = trpc.apiKeys.list.useQuery({ projectId: project.id });
  return (
    <Stack gap="lg">
      <ProjectHeader project={project} />
      <ProjectFigures projectId={project.id} collections={collections} keys={keys} />
      <Tabs
        value={tab}
        onChange={(value) => {
          const chosen = projectTabs.find((other) => other === value);
          if (chosen) onTabChange(chosen);
        }}
      >
        <Tabs.List>
          <Tabs.Tab value="collections" leftSection={<Icon shape={stack2Icon} />}>
            Collections
          </Tabs.Tab>
          <Tabs.Tab value="api-keys" leftSection={<Icon shape={keyIcon} />}>
            API Keys
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="collections" pt="md">
          <CollectionsPanel
            projectId={project.id}
            list={collections}
            page={page}
            onPageChange={onPageChange}
          />
        </Tabs.Panel>
        <Tabs.Panel value="api-keys" pt="md">
          <ApiKeysPanel projectId={project.id} list={keys} collections={collections.data ?? []} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function ProjectHeader({ project }: { project: Project }) {
  const { open } = useDialogs();
  return (
    <PageHeader
      above={
        <AnchorLink to="/projects" size="sm" c="dimmed">
          <Group gap={4} component="span" display="inline-flex" mb={6}>
            <Icon shape={arrowLeftIcon} size={16} />
            Projects
          </Group>
        </AnchorLink>
      }
      title={project.name}
      description={
        <>
          {project.description && (
            <Text inherit lineClamp={3} dir="auto" title={project.description}>
              {project.description}
            </Text>
          )}
          <div>
            Created {formatDate(project.createdAt)} · Updated {formatDate(project.updatedAt)}
          </div>
        </>
      }
      actions={
        <May atLeast="editor">
          <Button
            variant="default"
            leftSection={<Icon shape={pencilIcon} />}
            onClick={() => open('edit-project', { project })}
          >
            Edit Project
          </Button>
        </May>
      }
    />
  );
}

interface ProjectFiguresProps {
  projectId: number;
  collections: ListState<Collection>;
  keys: ListState<ApiKey>;
}

function ProjectFigures({ projectId, collections, keys }: ProjectFiguresProps) {
  const stats = trpc.dashboard.stats.useQuery({ projectId });
  const figure = (data: number | undefined, { isError }: { isError: boolean }) => (isError ? null : data);
  const documents = collections.data?.reduce((sum, { documentCount }) => sum + documentCount, 0);
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', xs: 'md' }}>
      <StatCard label="Collections" icon={stack2Icon} value={figure(collections.data?.length, collections)} />
      <StatCard label="API Keys" icon={keyIcon} value={figure(keys.data?.length, keys)} />
      <StatCard label="Total Documents" icon={fileTextIcon} value={figure(documents, collections)} />
      <StatCard
        label="API Requests (24h)"
        icon={activityIcon}
        value={figure(stats.data?.apiRequestsLast24h, stats)}
      />
    </SimpleGrid>
  );
}

function ProjectNotFound() {
  return (
    <>
      <PageHeader title="Project not found" />
      <EmptyState
        icon={folderIcon}
        title="There is no such project"
        description="It may have been deleted, or it belongs to a workspace that you are not a member of."
      >
        <ButtonLink to="/projects" leftSection={<Icon shape={arrowLeftIcon} />}>
          Back to Projects
        </ButtonLink>
      </EmptyState>
    </>
  );
}

function DetailSkeleton() {
  return (
    <Stack aria-hidden="true">
      <Skeleton height={36} width="16rem" />
      <SimpleGrid cols={{ base: 2, lg: 4 }}>
        <StatCard label="Collections" icon={stack2Icon} value={undefined} />
        <StatCard label="API Keys" icon={keyIcon} value={undefined} />
        <StatCard label="Total Documents" icon={fileTextIcon} value={undefined} />
        <StatCard label="API Requests (24h)" icon={activityIcon} value={undefined} />
      </SimpleGrid>
      <TableSkeleton />
    </Stack>
  );
}
