import { Title } from '@mantine/core';
import { bookIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import type { Article } from '#shared/articles/blocks.ts';
import classes from './article.module.css';
import { ArticleBlocks } from './article-blocks.tsx';
import { ArticleList } from './article-list.tsx';
import { sectionOf } from './articles.ts';
import { NextArticles } from './next-articles.tsx';
import { OnThisPage } from './on-this-page.tsx';
import { OwnValuesProvider, useReadOwnValues } from './own-values.ts';
import { OwnValuesBar } from './own-values-bar.tsx';

interface ArticlePageProps {
  /** Null: there is none of this name. */
  article: Article | null;
  collection: number;
  onCollection: (id: number) => void;
  /** To the list, with what was typed. */
  onSearch: (query: string) => void;
}

export function ArticlePage({ article, collection, onCollection, onSearch }: ArticlePageProps) {
  const values = useReadOwnValues(collection, onCollection);
  if (article === null) return <NoArticle />;
  const hasSamples = article.blocks.some(({ kind }) => kind === 'sample');
  return (
    <OwnValuesProvider value={values}>
      <div className={classes['page']}>
        <ArticleList current={article.slug} onSearch={onSearch} />
        <article className={classes['article']}>
          <p className={classes['section']}>{sectionOf(article.slug)?.title}</p>
          <Title order={1} tabIndex={-1}>
            {article.title}
          </Title>
          {hasSamples && <OwnValuesBar namesFields />}
          <div className={classes['blocks']}>
            <ArticleBlocks blocks={article.blocks} />
          </div>
          <NextArticles slug={article.slug} />
        </article>
        {/* Begun anew for each article. */}
        <OnThisPage key={article.slug} blocks={article.blocks} />
      </div>
    </OwnValuesProvider>
  );
}

function NoArticle() {
  return (
    <>
      <Title order={1} tabIndex={-1} size="h2">
        Article not found
      </Title>
      <EmptyState
        icon={bookIcon}
        title="There is no such article"
        description="It may have another name now. The list has all of them."
      >
        <ButtonLink to="/documentation">All articles</ButtonLink>
      </EmptyState>
    </>
  );
}
