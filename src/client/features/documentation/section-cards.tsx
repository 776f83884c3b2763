import { Card, Text, Title } from '@mantine/core';
import { Icon, type IconShape } from '#client/components/display/icon.tsx';
import {
  bookIcon,
  codeIcon,
  compassIcon,
  plugConnectedIcon,
  rocketIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import type { ArticleSection } from '#shared/articles/contents.ts';
import { ArticleLink } from './article-link.tsx';
import classes from './section-cards.module.css';

const icons: Record<string, IconShape> = {
  'Getting Started': rocketIcon,
  'API Reference': codeIcon,
  Integrations: plugConnectedIcon,
  Guides: compassIcon,
};

/** A card for each section, with its articles; those whose title has the query stand out. */
export function SectionCards({ sections, query }: { sections: ArticleSection[]; query: string }) {
  const isFound = (title: string) => query !== '' && title.toLowerCase().includes(query.toLowerCase());
  return (
    <ul className={classes['cards']}>
      {sections.map(({ title, description, articles }) => (
        <Card component="li" key={title} className={classes['card'] ?? ''}>
          <div className={classes['head']}>
            <span className={classes['icon']}>
              <Icon shape={icons[title] ?? bookIcon} size={20} />
            </span>
            <div>
              <Title order={2} size="h3">
                {title}
              </Title>
              <Text size="sm" c="dimmed">
                {description}
              </Text>
            </div>
          </div>
          <ul className={classes['articles']}>
            {articles.map((article) => (
              <li key={article.slug}>
                <ArticleLink slug={article.slug} className={classes['link']}>
                  {isFound(article.title) ? <strong>{article.title}</strong> : article.title}
                </ArticleLink>
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </ul>
  );
}
