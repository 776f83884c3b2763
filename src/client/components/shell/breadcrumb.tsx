import { useLocation, useNavigate } from '@tanstack/react-router';
import { Fragment } from 'react';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { boxIcon, folderIcon, stack2Icon } from '../display/icon-shapes.gen.ts';
import classes from './breadcrumb.module.css';
import { Crumb } from './crumb.tsx';

/** Workspace / Project / Collection: where the reader is, and the way to the ones beside it. */
export function Breadcrumb() {
  const collectionId = useShownCollectionId();
  const crumbs = [<WorkspaceCrumb key="workspace" />, <ProjectCrumb key="project" />];
  if (collectionId !== undefined) crumbs.push(<CollectionCrumb key="collection" id={collectionId} />);
  return (
    <nav aria-label="Breadcrumb" className={classes['crumbs']}>
      {crumbs.map((crumb, i) => (
        <Fragment key={crumb.key}>
          {i > 0 && (
            <span className={classes['slash']} aria-hidden="true">
              /
            </span>
          )}
          {/* A select has fields beside it that are not seen and would count as crumbs. */}
          <div className={classes['crumb']}>{crumb}</div>
        </Fragment>
      ))}
    </nav>
  );
}

function WorkspaceCrumb() {
  const { workspaces, workspace, selectWorkspace } = useWorkspace();
  const leave = useLeave();
  const choose = async (id: number | null) => {
    if (id === null || id === workspace?.id) return;
    await leave();
    selectWorkspace(id);
  };
  return (
    <Crumb
      label="Workspace"
      icon={boxIcon}
      rows={workspaces.map(({ id, name, role }) => ({
        id,
        name: role === 'owner' ? name : `${name} (${role})`,
      }))}
      value={workspace?.id ?? null}
      placeholder="Select a workspace"
      nothingFound="No workspaces yet"
      onChoose={choose}
    />
  );
}

function ProjectCrumb() {
  const { workspace, projects, project, selectProject } = useWorkspace();
  const isAmongProjects = useLocation({ select: ({ pathname }) => /^\/projects(\/|$)/.test(pathname) });
  const leave = useLeave();
  const navigate = useNavigate();
  const choose = async (id: number | null) => {
    if (id === project?.id) return;
    // Its page chooses it.
    if (isAmongProjects && id !== null) return navigate({ to: '/projects/$id', params: { id } });
    await leave();
    selectProject(id);
  };
  return (
    <Crumb
      label="Project"
      icon={folderIcon}
      rows={projects}
      value={project?.id ?? null}
      placeholder="All projects"
      nothingFound="No projects yet"
      allLabel="All projects"
      isDisabled={!workspace}
      onChoose={choose}
    />
  );
}

/** From the page of one thing, which is not in the workspace or project chosen next, to the list of such things. */
function useLeave(): () => Promise<void> {
  const navigate = useNavigate();
  const pathname = useLocation({ select: (location) => location.pathname });
  return async () => {
    if (/^\/projects\/./.test(pathname)) await navigate({ to: '/projects' });
    if (/^\/collections\/./.test(pathname)) await navigate({ to: '/collections' });
    if (/^\/ask-vector\/./.test(pathname)) await navigate({ to: '/ask-vector' });
    if (pathname === '/search') await navigate({ to: '/search' });
  };
}

function CollectionCrumb({ id }: { id: number | null }) {
  const { workspace, project } = useWorkspace();
  const navigate = useNavigate();
  const isSearch = useLocation({ select: ({ pathname }) => pathname === '/search' });
  const list = trpc.collections.list.useQuery(
    { workspaceId: workspace?.id ?? 0 },
    { enabled: workspace !== null },
  );
  const rows = (list.data ?? []).filter((row) => !project || row.projectId === project.id || row.id === id);
  // Until the list is there it is not known; afterwards a field would keep the name of one that is gone.
  const isGone = list.data !== undefined && !rows.some((row) => row.id === id);
  const choose = (chosen: number | null) => {
    if (isSearch) {
      // The words go along; filters, facets and pages are the other collection's.
      void navigate({
        to: '/search',
        search: ({ q = '' }) => ({ q, ...(chosen === null ? {} : { collection: chosen }) }),
      });
    } else if (chosen !== null) void navigate({ to: '/collections/$id', params: { id: chosen } });
  };
  return (
    <Crumb
      label="Current collection"
      icon={stack2Icon}
      rows={rows}
      value={isGone ? null : id}
      placeholder={isSearch ? 'All collections' : 'Choose a collection'}
      nothingFound="No collections yet"
      {...(isSearch ? { allLabel: 'All collections' } : {})}
      onChoose={choose}
    />
  );
}

/** The collection that the page is about; null: the search over all of them; undefined: the page is about none. */
function useShownCollectionId(): number | null | undefined {
  return useLocation({
    select: ({ pathname, search }) => {
      if (pathname === '/search') return 'collection' in search ? (search.collection ?? null) : null;
      const [, id] = /^\/collections\/(\d+)/.exec(pathname) ?? [];
      return id === undefined ? undefined : Number(id);
    },
  });
}
