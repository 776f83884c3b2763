import { Slider, Text } from '@mantine/core';
import classes from './alpha-slider.module.css';

/** How much meaning counts against words, from 0 to 1. */
export function AlphaSlider({ alpha, onChange }: { alpha: number; onChange: (alpha: number) => void }) {
  return (
    <div className={classes['root']}>
      <Text size="xs" component="span" className={classes['words'] ?? ''} aria-hidden="true">
        words
      </Text>
      <Slider
        className={classes['slider'] ?? ''}
        min={0}
        max={1}
        step={0.05}
        size="sm"
        label={(value) => value.toFixed(2)}
        thumbLabel="Weight of meaning against words"
        value={alpha}
        onChange={onChange}
      />
      <Text size="xs" component="span" className={classes['meaning'] ?? ''}>
        meaning {alpha.toFixed(2)}
      </Text>
    </div>
  );
}
