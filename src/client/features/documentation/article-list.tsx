import { Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { SearchField } from '#client/components/fields/search-field.tsx';
import { ArticleLink } from './article-link.tsx';
import classes from './article-list.module.css';
import { contents } from './articles.ts';

/** All articles beside the one that is read; on a narrow screen folded over it. */
export function ArticleList({ current, onSearch }: { current: string; onSearch: (query: string) => void }) {
  const [query, setQuery] = useState('');
  const search = (event: FormEvent) => {
    event.preventDefault();
    onSearch(query);
  };
  return (
    <nav aria-label="Articles" className={classes['root']}>
      <form onSubmit={search} className={classes['search']}>
        <SearchField
          label="Search the documentation"
          placeholder="Search, then Enter"
          value={query}
          onChange={setQuery}
        />
      </form>
      <div className={classes['wide']}>
        <Sections current={current} />
      </div>
      <details className={classes['narrow']} key={current}>
        <summary>All articles</summary>
        <Sections current={current} />
      </details>
    </nav>
  );
}

function Sections({ current }: { current: string }) {
  return contents.sections.map(({ title, articles }) => (
    <div key={title} className={classes['section']}>
      <Text size="xs" fw={600} c="dimmed" mb={4}>
        {title}
      </Text>
      <ul className={classes['list']}>
        {articles.map((entry) => (
          <li key={entry.slug}>
            <ArticleLink slug={entry.slug} className={classes['link']} isCurrent={entry.slug === current}>
              {entry.title}
            </ArticleLink>
          </li>
        ))}
      </ul>
    </div>
  ));
}
