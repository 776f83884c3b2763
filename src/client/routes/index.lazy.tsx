import { createLazyFileRoute } from '@tanstack/react-router';
import { LandingPage } from '#client/features/landing/landing-page.tsx';

export const Route = createLazyFileRoute('/')({ component: LandingPage });
