import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { bookIcon } from '#client/components/display/icon-shapes.gen.ts';
import {
  type DocumentationState,
  documentationDefaults,
  documentationState,
} from '#client/features/documentation/documentation-state.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';

const DocumentationPage = lazyPage(
  () => import('#client/features/documentation/documentation-page.tsx'),
  'DocumentationPage',
);

export const Route = createFileRoute('/_console/documentation/')({
  staticData: { nav: { label: 'Documentation', icon: bookIcon, order: 90, letter: 'H' } },
  validateSearch: (search: Partial<DocumentationState> & SearchSchemaInput) => documentationState(search),
  search: { middlewares: [stripSearchParams(documentationDefaults)] },
  head: () => pageTitle('Documentation'),
  component: preloading(DocumentationPage, Documentation),
});

function Documentation() {
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <DocumentationPage
      state={state}
      onChange={(change) =>
        void navigate({ search: { ...state, ...change }, replace: true, resetScroll: false })
      }
    />
  );
}
