import { Title } from '@mantine/core';
import { useId } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { chevronRightIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ArticleLink } from './article-link.tsx';
import classes from './link-cards.module.css';

export interface LinkedCard {
  /** The article that it leads to. */
  slug: string;
  title: string;
  description: string;
}

/** Short ways to articles. */
export function LinkCards({ title, cards }: { title: string; cards: LinkedCard[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h3" id={id} mb="sm">
        {title}
      </Title>
      <ul className={classes['cards']}>
        {cards.map((card) => (
          <li key={card.slug}>
            <ArticleLink slug={card.slug} className={classes['card']}>
              <span className={classes['words']}>
                <span className={classes['title']}>{card.title}</span>
                <span className={classes['description']}>{card.description}</span>
              </span>
              <Icon shape={chevronRightIcon} size={16} />
            </ArticleLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
