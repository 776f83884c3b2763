import { lazy, Suspense } from 'react';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { Hero } from './hero.tsx';
import { LandingFooter } from './landing-footer.tsx';
import { LandingNav } from './landing-nav.tsx';
import classes from './landing-page.module.css';

const Below = lazy(async () => ({ default: (await import('./below.tsx')).Below }));

/** The public page: what the product is, shown by letting visitors search. */
export function LandingPage() {
  const { isAuthenticated } = useAuth();
  return (
    <div className={classes['page']}>
      <LandingNav isSignedIn={isAuthenticated} />
      <main id="main" tabIndex={-1}>
        <Hero />
        <Suspense fallback={<div className={classes['below']} />}>
          <Below />
        </Suspense>
      </main>
      <LandingFooter />
    </div>
  );
}
