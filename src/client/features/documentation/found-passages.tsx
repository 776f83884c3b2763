import { Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useId } from 'react';
import { MarkedText } from '#client/components/display/marked-text.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { ArticleLink } from './article-link.tsx';
import classes from './found-passages.module.css';

const typingMs = 150;

/** The parts of articles that a query is about, found by words and by meaning. */
export function FoundPassages({ query }: { query: string }) {
  const id = useId();
  const [asked] = useDebouncedValue(query, typingMs);
  const answer = trpc.documentation.search.useQuery(
    { query: asked },
    { placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY },
  );
  const { data } = answer;
  return (
    <section aria-labelledby={id} aria-busy={answer.isFetching}>
      <Title order={2} size="h3" id={id} mb="sm">
        In the articles
      </Title>
      {answer.isError && (
        <ErrorView error={answer.error} title="The articles could not be searched" onRetry={answer.refetch} />
      )}
      {!data && !answer.isError && <Skeleton height="12rem" radius="lg" />}
      {data?.hits.length === 0 && !answer.isPlaceholderData && (
        <Text c="dimmed">
          Nothing is said about “{asked}”. Try other words, or look through{' '}
          <ArticleLink slug="quick-start" className={classes['inText']}>
            the articles
          </ArticleLink>
          .
        </Text>
      )}
      <VisuallyHidden role="status">{data && `${data.hits.length} passages found`}</VisuallyHidden>
      <ul className={classes['hits']}>
        {data?.hits.map((hit) => (
          <li key={`${hit.slug}#${hit.anchor}`}>
            <ArticleLink slug={hit.slug} anchor={hit.anchor} className={classes['hit']}>
              <span className={classes['title']}>
                {hit.article}
                {hit.heading !== '' && <span className={classes['heading']}> › {hit.heading}</span>}
              </span>
              <span className={classes['snippet']}>
                <MarkedText snippet={hit.snippet} />
              </span>
            </ArticleLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
