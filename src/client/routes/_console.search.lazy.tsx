import { createLazyFileRoute } from '@tanstack/react-router';
import { SearchPage } from '#client/features/search/search-page.tsx';
import type { ChangeSearch } from '#client/features/search/search-state.ts';

export const Route = createLazyFileRoute('/_console/search')({ component: Search });

function Search() {
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  const change: ChangeSearch = (next, options) =>
    navigate({
      search: (previous) => ({ ...previous, ...next }),
      replace: options?.replace ?? false,
      resetScroll: next.page !== undefined && Object.keys(next).length === 1,
    });
  return <SearchPage state={state} onChange={change} />;
}
