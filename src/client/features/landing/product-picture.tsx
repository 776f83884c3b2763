import dark from './pictures/search-dark.webp';
import light from './pictures/search-light.webp';
import classes from './product-picture.module.css';

/** Of the console's search as `scripts/take-pictures.mjs` sees it, in the scheme of the page; the other one is not fetched. */
export function ProductPicture() {
  return (
    <figure className={classes['figure']}>
      {[
        { scheme: 'light', source: light },
        { scheme: 'dark', source: dark },
      ].map(({ scheme, source }) => (
        <img
          key={scheme}
          data-scheme={scheme}
          className={classes['picture']}
          src={source}
          width={1280}
          height={800}
          loading="lazy"
          decoding="async"
          alt="The console's search page: hits for a sentence about films, with marked words, scores and facets"
        />
      ))}
    </figure>
  );
}
