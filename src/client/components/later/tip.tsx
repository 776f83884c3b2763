import { cloneElement, type ReactElement, type RefAttributes, Suspense, useState } from 'react';
import { laterPart } from '#client/lib/lazy-part.ts';

const FetchedTooltip = laterPart(async () => ({ default: (await import('./overlays.ts')).overlays.Tooltip }));

interface TipProps {
  label: string;
  /** Takes a `ref`; it stays the same element when the tip is fetched, and keeps the focus. */
  children: ReactElement<RefAttributes<HTMLElement>>;
}

/** Names a button while the pointer rests on it. */
export function Tip({ label, children }: TipProps) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  return (
    <>
      {cloneElement(children, { ref: setTarget })}
      {target && (
        <Suspense>
          <FetchedTooltip target={target} label={label} />
        </Suspense>
      )}
    </>
  );
}
