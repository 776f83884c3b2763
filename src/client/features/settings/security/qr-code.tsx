import encodeQR from 'qr';
import { useMemo } from 'react';
import classes from './qr-code.module.css';

/** Modules of white around it, as readers want it (ISO/IEC 18004). */
const quietModules = 4;

/** Made here, so that the secret in it goes nowhere. Black on white in both schemes: many readers know no other. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => outlineOf(encodeQR(text, 'raw', { border: quietModules })), [text]);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className={classes['code']}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  );
}

/** One square a dark module. */
function outlineOf(modules: boolean[][]): { size: number; path: string } {
  const squares = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size: modules.length, path: squares.join('') };
}
