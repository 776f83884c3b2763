import { Bone } from '#client/components/display/bone.tsx';
import classes from './facet-panel.module.css';

/** Holds the panel's place while it is not known what a collection can be narrowed by. */
export function FacetSkeleton() {
  return (
    <div aria-hidden="true" className={classes['waiting']}>
      {['first', 'second', 'third'].map((key) => (
        <div key={key}>
          <Bone height={12} width="40%" marginBottom={10} />
          <Bone height={12} marginBottom={8} />
          <Bone height={12} width="80%" marginBottom={8} />
          <Bone height={12} width="90%" marginBottom={20} />
        </div>
      ))}
    </div>
  );
}
