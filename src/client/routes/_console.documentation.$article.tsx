import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import {
  type DocumentationState,
  documentationDefaults,
  documentationState,
} from '#client/features/documentation/documentation-state.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';

const ArticlePage = lazyPage(() => import('#client/features/documentation/article-page.tsx'), 'ArticlePage');

export const Route = createFileRoute('/_console/documentation/$article')({
  validateSearch: (search: Partial<DocumentationState> & SearchSchemaInput) => documentationState(search),
  search: { middlewares: [stripSearchParams(documentationDefaults)] },
  loader: async ({ params }) => {
    const { findArticle } = await import('#client/features/documentation/articles.ts');
    return await findArticle(params.article);
  },
  head: ({ loaderData }) => pageTitle(loaderData?.title ?? 'Article not found', 'Documentation'),
  component: preloading(ArticlePage, Article),
});

function Article() {
  const article = Route.useLoaderData();
  const { collection } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ArticlePage
      article={article}
      collection={collection}
      onCollection={(id) =>
        void navigate({ search: { collection: id }, hash: true, replace: true, resetScroll: false })
      }
      onSearch={(q) => void navigate({ to: '/documentation', search: { q, collection } })}
    />
  );
}
