import { useAuth } from '#client/lib/auth-provider.tsx';
import { ClosingCall } from './closing-call.tsx';
import { CodeSection } from './code-section.tsx';
import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import { LandingFooter } from './landing-footer.tsx';
import { LandingNav } from './landing-nav.tsx';
import classes from './landing-page.module.css';
import { Pricing } from './pricing.tsx';
import { UseCases } from './use-cases.tsx';

/** The public page: what the product is, shown by letting visitors search. */
export function LandingPage() {
  const { isAuthenticated } = useAuth();
  return (
    <div className={classes['page']}>
      <LandingNav isSignedIn={isAuthenticated} />
      <main id="main" tabIndex={-1}>
        <Hero />
        <Features />
        <UseCases />
        <Pricing />
        <CodeSection />
        <ClosingCall />
      </main>
      <LandingFooter />
    </div>
  );
}
