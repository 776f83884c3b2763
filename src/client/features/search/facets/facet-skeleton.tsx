import { Skeleton } from '@mantine/core';
import classes from './facet-panel.module.css';

/** Holds the panel's place while it is not known what a collection can be narrowed by. */
export function FacetSkeleton() {
  return (
    <div aria-hidden="true" className={classes['waiting']}>
      {['first', 'second', 'third'].map((key) => (
        <div key={key}>
          <Skeleton height={12} width="40%" mb={10} />
          <Skeleton height={12} mb={8} />
          <Skeleton height={12} width="80%" mb={8} />
          <Skeleton height={12} width="90%" mb={20} />
        </div>
      ))}
    </div>
  );
}
