import classes from './joining-lines.module.css';

interface JoiningLinesProps {
  /** Of the column on the left and of that on the right, in their order. */
  left: string[];
  right: string[];
  pointed: string | null;
}

/** Joins what stands in both columns. Each row says in words where its document stands beside it. */
export function JoiningLines({ left, right, pointed }: JoiningLinesProps) {
  const rows = Math.max(left.length, right.length, 1);
  return (
    <svg
      aria-hidden="true"
      className={classes['lines']}
      viewBox={`0 0 10 ${rows}`}
      preserveAspectRatio="none"
      style={{ height: `calc(var(--row) * ${rows})` }}
    >
      {left.map((key, i) => {
        const j = right.indexOf(key);
        if (j === -1) return null;
        const [from, to] = [i + 0.5, j + 0.5];
        return (
          <path
            key={key}
            d={`M0 ${from} C5 ${from} 5 ${to} 10 ${to}`}
            data-pointed={pointed === key || undefined}
            vectorEffect="non-scaling-stroke"
          />
        );
      })}
    </svg>
  );
}
