import { useEffect } from 'react';
import { ClosingCall } from './closing-call.tsx';
import { CodeSection } from './code-section.tsx';
import { Comparison } from './comparison.tsx';
import { Features } from './features.tsx';
import { Figures } from './figures.tsx';
import { Pricing } from './pricing.tsx';
import { UseCases } from './use-cases.tsx';

/** All that is not seen at first, fetched after it. */
export function Below() {
  // An address that leads into it could not be followed before.
  useEffect(() => {
    const { hash } = window.location;
    if (hash.length > 1) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <>
      <Features />
      <Comparison />
      <UseCases />
      <CodeSection />
      <Figures />
      <Pricing />
      <ClosingCall />
    </>
  );
}
