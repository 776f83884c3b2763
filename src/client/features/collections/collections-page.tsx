import { Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { plusIcon, uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { PageHeader } from '#client/components/display/page-header.tsx';
import { SearchField } from '#client/components/fields/search-field.tsx';
import { Select } from '#client/components/later/select.tsx';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { May, useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import { CollectionList } from './collection-list.tsx';
import type { CollectionSort, CollectionsState, CollectionView } from './collection-order.ts';
import classes from './collections-page.module.css';

interface CollectionsPageProps {
  state: CollectionsState;
  onChange: (change: Partial<CollectionsState>) => void;
  /** Opens the upload; `null`: the reader chooses the collection there. */
  onUpload: (collection: Collection | null) => void;
}

/** The collections of the chosen project, or of the whole workspace where none is chosen. */
export function CollectionsPage({ state, onChange, onUpload }: CollectionsPageProps) {
  const { open } = useDialogs();
  const { workspace, project } = useWorkspace();
  return (
    <>
      <PageHeader
        title="Collections"
        description={
          project
            ? `In the project ${project.name}`
            : workspace
              ? `All projects of the workspace ${workspace.name}`
              : undefined
        }
        actions={
          <May atLeast="editor">
            <Button
              variant="default"
              leftSection={<Icon shape={uploadIcon} />}
              onClick={() => onUpload(null)}
            >
              Upload Documents
            </Button>
            <Button leftSection={<Icon shape={plusIcon} />} onClick={() => open('create-collection')}>
              Create Collection
            </Button>
          </May>
        }
      />
      <Stack>
        <Toolbar state={state} onChange={onChange} />
        <CollectionList state={state} onPageChange={(page) => onChange({ page })} onUpload={onUpload} />
      </Stack>
    </>
  );
}

const sorts: { value: CollectionSort; label: string }[] = [
  { value: 'updated', label: 'Last changed' },
  { value: 'created', label: 'Newest' },
  { value: 'name', label: 'Name' },
  { value: 'documents', label: 'Most documents' },
];
const views: { value: CollectionView; label: string }[] = [
  { value: 'grid', label: 'Cards' },
  { value: 'list', label: 'List' },
];

function Toolbar({ state, onChange }: Pick<CollectionsPageProps, 'state' | 'onChange'>) {
  return (
    <Group gap="sm">
      <div className={classes['filter']}>
        <SearchField label="Search collections" value={state.q} onChange={(q) => onChange({ q, page: 1 })} />
      </div>
      <Select
        w="11rem"
        aria-label="Sort by"
        allowDeselect={false}
        data={sorts}
        value={state.sort}
        onChange={(sort) => sort && onChange({ sort, page: 1 })}
      />
      <SegmentedControl
        aria-label="View"
        data={views}
        value={state.view}
        onChange={(view) => onChange({ view })}
      />
    </Group>
  );
}
