import { Icon } from '#client/components/display/icon.tsx';
import { chevronLeftIcon, chevronRightIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ArticleLink } from './article-link.tsx';
import { neighboursOf } from './articles.ts';
import classes from './next-articles.module.css';

/** To the articles before and behind. */
export function NextArticles({ slug }: { slug: string }) {
  const { before, behind } = neighboursOf(slug);
  return (
    <nav aria-label="Next articles" className={classes['root']}>
      {before && (
        <ArticleLink slug={before.slug} className={classes['link']}>
          <Icon shape={chevronLeftIcon} size={18} />
          <span className={classes['words']}>
            <span className={classes['where']}>Previous</span>
            {before.title}
          </span>
        </ArticleLink>
      )}
      {behind && (
        <ArticleLink slug={behind.slug} className={`${classes['link']} ${classes['behind']}`}>
          <span className={classes['words']}>
            <span className={classes['where']}>Next</span>
            {behind.title}
          </span>
          <Icon shape={chevronRightIcon} size={18} />
        </ArticleLink>
      )}
    </nav>
  );
}
