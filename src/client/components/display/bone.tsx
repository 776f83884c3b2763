import type { CSSProperties } from 'react';
import classes from './bone.module.css';

/** A line of what comes, where there are many of them: Mantine's skeleton takes the time of ten. */
export function Bone(style: Pick<CSSProperties, 'height' | 'width' | 'marginBottom'>) {
  return <div className={classes['bone']} style={style} data-bone />;
}
