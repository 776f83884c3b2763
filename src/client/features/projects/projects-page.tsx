import { Button, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { CardGridSkeleton } from '#client/components/display/card-grid-skeleton.tsx';
import { Icon } from '#client/components/display/icon.tsx';
import { folderIcon, plusIcon, searchIcon } from '#client/components/display/icon-shapes.gen.ts';
import { PageHeader } from '#client/components/display/page-header.tsx';
import { Pager } from '#client/components/display/pager.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { SearchField } from '#client/components/fields/search-field.tsx';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { matches } from '#client/lib/matches.ts';
import { pageOf } from '#client/lib/page-of.ts';
import { trpc } from '#client/lib/trpc.ts';
import { May, useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { Project } from '#shared/projects.ts';
import { DeleteProjectDialog } from './delete-project-dialog.tsx';
import { ProjectCard } from './project-card.tsx';

interface ProjectsPageProps {
  /** Filters by name or description. */
  query: string;
  onQueryChange: (query: string) => void;
  page: number;
  onPageChange: (page: number) => void;
}

export function ProjectsPage({ query, onQueryChange, page, onPageChange }: ProjectsPageProps) {
  const { workspace, isLoading } = useWorkspace();
  const { open } = useDialogs();
  if (!workspace && !isLoading) {
    return (
      <>
        <PageHeader title="Projects" />
        <NoWorkspace />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Projects"
        description={workspace ? `In the workspace ${workspace.name}` : undefined}
        actions={
          <May atLeast="editor">
            <Button leftSection={<Icon shape={plusIcon} />} onClick={() => open('create-project')}>
              New Project
            </Button>
          </May>
        }
      />
      <Stack>
        <SearchField label="Search projects" value={query} onChange={onQueryChange} />
        {workspace ? (
          <ProjectGrid workspaceId={workspace.id} query={query} page={page} onPageChange={onPageChange} />
        ) : (
          <CardGridSkeleton cardHeight="11rem" />
        )}
      </Stack>
    </>
  );
}

type ProjectGridProps = Omit<ProjectsPageProps, 'onQueryChange'> & { workspaceId: number };

function ProjectGrid({ workspaceId, query, page: asked, onPageChange }: ProjectGridProps) {
  const { open } = useDialogs();
  const [toDelete, setToDelete] = useState<Project | null>(null);
  const list = trpc.projects.list.useQuery({ workspaceId });
  if (list.isError)
    return <ErrorView error={list.error} title="Failed to fetch projects" onRetry={list.refetch} />;
  if (!list.data) return <CardGridSkeleton cardHeight="11rem" />;

  const found = list.data.filter((project) => matches(project, query));
  if (found.length === 0) {
    return query.trim() ? (
      <EmptyState
        icon={searchIcon}
        title="No projects found"
        description={`No project's name or description contains “${query.trim()}”.`}
      />
    ) : (
      <EmptyState
        icon={folderIcon}
        title="No projects yet"
        description="A project holds the collections and API keys of one application."
      >
        <May atLeast="editor">
          <Button leftSection={<Icon shape={plusIcon} />} onClick={() => open('create-project')}>
            New Project
          </Button>
        </May>
      </EmptyState>
    );
  }
  const { shown, page, pages } = pageOf(found, asked);
  return (
    <>
      <SimpleGrid component="ul" cols={{ base: 1, sm: 2, lg: 3 }} p={0} m={0}>
        {shown.map((project) => (
          <ProjectCard
            key={project.id}
            project={project}
            onEdit={() => open('edit-project', { project })}
            onDelete={() => setToDelete(project)}
          />
        ))}
      </SimpleGrid>
      <Pager page={page} pages={pages} total={found.length} noun="projects" onChange={onPageChange} />
      <DeleteProjectDialog project={toDelete} onClose={() => setToDelete(null)} />
    </>
  );
}
