import { Button } from '@mantine/core';
import { alertTriangleIcon, fileTextIcon, filterIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Pager } from '#client/components/display/pager.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import type { Collection } from '#shared/collections.ts';
import type { ChangeCollection } from '../collection-state.ts';
import classes from './document-list.module.css';
import { type DocumentsState, documentPagesMax } from './documents-state.ts';
import { DocumentsTable } from './documents-table.tsx';
import { JsonList } from './json-list.tsx';
import { NoDocuments } from './no-documents.tsx';
import type { Documents } from './use-documents.ts';

interface DocumentListProps {
  collection: Collection;
  documents: Documents;
  state: DocumentsState;
  onChange: ChangeCollection;
  onClearFilter: () => void;
}

/** A page of documents, or why there is none. */
export function DocumentList({ collection, documents, state, onChange, onClearFilter }: DocumentListProps) {
  const { answer, error, isCurrent, askAgain } = documents.list;
  if (error && !documents.fault)
    return <ErrorView error={error} title="Failed to fetch documents" onRetry={askAgain} />;
  if (!answer) return documents.fault ? <Unread onClearFilter={onClearFilter} /> : <TableSkeleton />;
  if (answer.found === 0 && isCurrent)
    return state.filter.trim() ? (
      <NothingFound onClearFilter={onClearFilter} />
    ) : (
      <NoDocuments collection={collection} onAdd={() => onChange({ add: true })} />
    );
  const pages = Math.min(answer.pages, documentPagesMax);
  if (answer.documents.length === 0 && isCurrent)
    return <BehindTheLast onLast={() => onChange({ page: pages })} />;
  const open = (id: string) => onChange({ open: id, add: false });
  return (
    <div className={classes['list']} aria-busy={!isCurrent && !documents.fault}>
      {state.view === 'table' ? (
        <DocumentsTable
          rows={answer.documents}
          columns={documents.columns}
          fields={documents.fields.data ?? []}
          sort={state.sort}
          openId={state.open}
          onSort={(sort) => onChange({ sort, page: 1 })}
          onOpen={open}
        />
      ) : (
        <JsonList rows={answer.documents} onOpen={open} />
      )}
      <Pager
        page={answer.page}
        pages={pages}
        total={answer.found}
        noun="documents"
        from={{ row: answer.first, rows: answer.documents.length }}
        onChange={(page) => onChange({ page })}
      />
    </div>
  );
}

function NothingFound({ onClearFilter }: Pick<DocumentListProps, 'onClearFilter'>) {
  return (
    <EmptyState
      icon={filterIcon}
      title="No documents found"
      description="No document of this collection passes the filter."
    >
      <Button variant="default" onClick={onClearFilter}>
        Clear filter
      </Button>
    </EmptyState>
  );
}

/** A link with a filter that cannot be read: there are no documents from before. */
function Unread({ onClearFilter }: Pick<DocumentListProps, 'onClearFilter'>) {
  return (
    <EmptyState
      icon={alertTriangleIcon}
      title="The filter cannot be read"
      description="What is wrong with it stands below its box."
    >
      <Button variant="default" onClick={onClearFilter}>
        Clear filter
      </Button>
    </EmptyState>
  );
}

function BehindTheLast({ onLast }: { onLast: () => void }) {
  return (
    <EmptyState
      icon={fileTextIcon}
      title="This page is behind the last one"
      description="There are fewer documents than it would take."
    >
      <Button variant="default" onClick={onLast}>
        To the last page
      </Button>
    </EmptyState>
  );
}
